//go:build torch

package torch

import (
	"fmt"

	"github.com/sugarme/gotch/ts"
)

// packer packs weights of bfloat16 into the blocks that oneDNN's products read, once,
// and holds what computes with them.
//
// libtorch's own linear packs them at every call, writes the bias to every row of
// the result before it adds the product, and leaves the activation to a further
// pass. Measured with MiniLM, 1,024 tokens: 8.7 ms for the four products and the
// activation of a layer, and 5.4 ms packed. It knows no gradient.
type packer struct {
	pack, linear, activated *ts.CModule
}

// packedActivations are oneDNN's names and algorithms of [activations].
var packedActivations = map[string][2]string{
	"gelu":              {"gelu", "none"},
	"gelu_new":          {"gelu", "tanh"},
	"gelu_pytorch_tanh": {"gelu", "tanh"},
	"relu":              {"relu", ""},
}

// newPacker is for a model of that activation. It must be dropped.
func newPacker(activation string) (*packer, error) {
	// The layout depends on the rows that a product is expected to have. That for 1,024
	// was measured to be as good as any from 1 to 4,096.
	const pack = `  def forward(self: __torch__.Script, weight: Tensor) -> Tensor:
    return ops.mkldnn._reorder_linear_weight(weight, 1024)
`
	const linear = `  def forward(self: __torch__.Script, x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
    return ops.mkldnn._linear_pointwise(x, weight, bias, %q, annotate(List[Optional[number]], []), %q)
`
	p, of := &packer{}, packedActivations[activation]
	for _, made := range []struct {
		script **ts.CModule
		code   string
	}{
		{&p.pack, pack},
		{&p.linear, fmt.Sprintf(linear, "none", "")},
		{&p.activated, fmt.Sprintf(linear, of[0], of[1])},
	} {
		var err error
		if *made.script, err = script(made.code); err != nil {
			p.drop()
			return nil, err
		}
	}
	return p, nil
}

// drop frees the scripts, once.
func (p *packer) drop() {
	if p == nil {
		return
	}
	for _, script := range []**ts.CModule{&p.pack, &p.linear, &p.activated} {
		if *script != nil {
			(*script).Drop()
			*script = nil
		}
	}
}

// bert packs the weights of all products of b, into tensors of the scope.
func (p *packer) bert(s *scope, b *bert) {
	for i := range b.layers {
		l := &b.layers[i]
		for _, d := range []*dense{&l.queryKeyValue, &l.query, &l.keyValue, &l.attention, &l.up, &l.down} {
			p.dense(s, d)
		}
	}
}

func (p *packer) dense(s *scope, d *dense) {
	if d.weight == nil {
		return
	}
	d.weight, d.packed = s.run(p.pack, d.weight), p.linear
	if d.activation != "" {
		d.packed = p.activated
	}
}
