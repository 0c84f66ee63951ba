package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// provisionFlag is the flag by which a runner tells a worker process where to ask for its settings.
const provisionFlag = "provision_endpoint"

// boot makes the process the worker that a runner has started with the environment PROCESS:
//
//	--environment_type=PROCESS --environment_config='{"command": "/shared/ctxnorm-beam"}'
//
// It asks the runner where its services are and becomes the worker by execve. Beam's own boot program
// starts a copy of the program as a child instead, which stays when the runner stops boot.
func boot(args []string) error {
	flags := flag.NewFlagSet("boot", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	id := flags.String("id", "", "")
	provision := flags.String(provisionFlag, "", "")
	logging := flags.String("logging_endpoint", "", "")
	control := flags.String("control_endpoint", "", "")
	flags.String("artifact_endpoint", "", "")
	flags.String("semi_persist_dir", "", "")
	if err := flags.Parse(args); err != nil {
		return usageError(err.Error())
	}
	worker := strings.Trim(*id, "'") // Prism puts it in quotes
	info, err := tools.ProvisionInfo(grpcx.WriteWorkerID(context.Background(), worker), *provision)
	if err != nil {
		return fmt.Errorf("asking the runner at %s: %w", *provision, err)
	}
	if url := info.GetLoggingEndpoint().GetUrl(); url != "" {
		*logging = url
	}
	if url := info.GetControlEndpoint().GetUrl(); url != "" {
		*control = url
	}
	options, err := tools.ProtoToJSON(info.GetPipelineOptions())
	if err != nil {
		return err
	}
	if err := tools.MakePipelineOptionsFileAndEnvVar(options); err != nil {
		return err
	}
	if capabilities := info.GetRunnerCapabilities(); len(capabilities) > 0 {
		if err := os.Setenv("RUNNER_CAPABILITIES", strings.Join(capabilities, " ")); err != nil {
			return err
		}
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	argv := []string{
		program, "--worker=true", "--id=" + worker, "--logging_endpoint=" + *logging, "--control_endpoint=" + *control,
	}
	return fmt.Errorf("%s: %w", program, syscall.Exec(program, argv, os.Environ()))
}
