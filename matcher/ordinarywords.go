package matcher

import "github.com/ctxnorm/ctxnorm/internal/normalize"

// ordinaryWords are words of English that dictionaries of diseases, chemicals, genes and
// organisms list as names or use in names, and that often mean something else: strain, lead, cold, block. Words
// that mean in ordinary English what they mean in medicine are none of them: pain, fever, tumor. They are looked
// for, since their mentions may well be the concept, but a dictionary's author should know of them, and linking
// asks their context.
var ordinaryWords = normalize.WordSet(`
act acts aim air apex arc arch arm arrest arson art ash aster attack aura bad bag band bar bark base bases bat
beam bear bee bend bends bent best bid big bile bit bite black blast bleb blind blister block blood blot blow
blue body boil bond bone book boss bow bowel box break breast bright brown bruise brush buck bud bump burn cable
cage calculi calculus calm camp cane canker cap car carbon card care cast cat cell chance change channel charm
chase check chest child chill chip choking circle clamp class clay clip clock closed cloud club cluster coal
coast coat code coil cold collapse color comb compound compression conceive confusion congestion constant
contraction control copper core corn corpse cost count court cover crack crackle cramp crane crash crest crown
crush crystal cube culture cup curve cut cycle cyst dam damage dare dark date deaf death decay deep deer defer
degree delay dental depression depth desert diet discharge dish dislocation displacement dissociation dose
double drag dream drift drill drop drum dry duck dust dwarf ear early earth east eat edge egg elder elevation
emergency emotion end erosion error even ever exhaust exhaustion expansion eye face facies fact faint fall
famine fan far fast fasting fat fate fault fear feature feet field fight fire fish fissure fist fit fits flag
flat flea flies flow flower fluid flush flushing fly foam focus fog fold food foot force form fox fracture free
frog fruit fugue fur fury fusion gall ganglia ganglion gap gas gate gel gene germ giant girl gold golf grade
graft grain grass great green grey grip ground growth guilt gum gut hair ham hand harm head heart heat height
helix hemp herd hip hive hole home honey hook hope horn horse host hot hump hunger hurt ice ill impact impaction
inclusion ink insight inversion iron jaw jet joint jump junction keen key kidney kit knee knot label labor
labour lag lake lamb lamp language large laser last late lead leaf leak learning letter level lid lie lift light
limb lime limp line lines link lip lisp live liver load lock long loop loss love low lump lung luster mad magic
map maple mark marker mask mass mast mate mature meat med media memory mend mental mercury met mice mild milk
mind minor mint mode mold mole mood moon motion mouse mouth mucus multiple mum muscle myth nail narrow neck need
nerve nest net nickel night nit node noise normal nose notch null numb number nut occlusion oil old open orange
organ ox pace pair palm paper parent part past patch path pea peel peg period phase pica pie pig pile pin pinta
pit plague plan plant plaque plasma plate plug plum pod point poison pole polyp pool poor pork port posture pot
power pox present press pressure prey primary prime problem process protein pulse pump pupil purple push quit
rage rain ran rape rash rat rate reaction recurrence red reflex relief repair rest retardation retraction
retreat rib rice rigidity rigor ring ripe rise risk roar rod role roof root rose rot rough round row rub run
rupture rush sac sad salt sand scab scale scar scared scour scurf sea seal seed sense septic set sex shaft shake
shape shark shear sheep shell shift shingle shingles shock shore short shot shoulder sick side sight silk silver
size skin skip sleep slide slim slip slow small smell smoke snail snake snap snow soft soil solid sore sound soy
spark speech spider spike spine spleen split spot spotting sprain spray spread spring sprue spur square stable
stain star starvation stem step sterile sterility sting stitch stomach stone stool stop strain stress stretch
stroke strong stump sty sugar sulfur sun supply swallow sweat sweet swelling swing syncope system tail tall tan
tap target taste tea tear teeth tension term test thick thin thirst thorn thrush thumb tic tick tie tin tip tire
tired toe tone tongue tooth top torch torn torsion toxic trace track transfer transport trap travel tree trip
trunk tube turn twin twins type union unit vapor vein vent vessel vision voice void wall war warm warp wart wash
waste water wave wax weak wear web weight well west wheat wheel wheeze whey whip white wing wink winter wit
withdrawal wolf wood work worm worry wound wrist wryneck yam yaw yaws yeast yellow young zinc zona
`)

// OrdinaryWord reports whether a name or a word of a name is also a word of English, or its plural, that often
// means something else: "lead", "colds". It knows some 700 words.
func OrdinaryWord(name string) bool {
	key := normalize.Normal(name)
	return commonWords[key] || ordinaryWords[key] || ordinaryWords[normalize.CanonicalWord(key)]
}
