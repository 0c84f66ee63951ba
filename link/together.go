package link

import "sync"

// together does several things at a time, and gives the error of the first of them
// that has one.
func together(tasks ...func() error) error {
	errs := make([]error, len(tasks))
	var running sync.WaitGroup
	for i, task := range tasks {
		running.Go(func() { errs[i] = task() })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
