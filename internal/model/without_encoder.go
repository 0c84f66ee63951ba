package model

// WithoutEncoder returns the model as if it had been made without its encoder: what linkers
// find by strings, words and the hierarchy alone, with the calibration that was learned for
// that, [Calibration.WithoutEncoder]. It returns m itself if m has no encoder, and a model that
// is not calibrated if m has no such calibration.
//
// The copy shares everything else with m, which must stay open while it is used; the copy need
// not be closed.
func (m *Model) WithoutEncoder() *Model {
	if m.Vectors == nil {
		return m
	}
	same, manifest := m.view(), *m.Manifest
	manifest.Encoder, manifest.BaseEncoder = nil, nil
	same.Manifest, same.Vectors = &manifest, nil
	if same.Calibration = new(Calibration); m.Calibration != nil && m.Calibration.WithoutEncoder != nil {
		same.Calibration = m.Calibration.WithoutEncoder
	}
	return same
}
