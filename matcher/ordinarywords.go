package matcher

import "github.com/ctxnorm/ctxnorm/text/normalize"

// ordinaryWords are words of ordinary English that dictionaries of diseases, chemicals,
// genes and organisms also list as names. They are looked for, since most of their
// mentions may well be the concept, but a dictionary's author should know of them.
var ordinaryWords = normalize.WordSet(`
act acts aim air apex arc arch arm arms art ash aster bad bag band bar bark base bases bat beam bear bee bent
best bid big bile bit black blast blind blood blot blow blue body bone book boss bow bowel box break breast bright brown
brush buck bud bump burn burns cable cage calm camp cane cap car carbon card care cast cat cell chance change charm
chase check chest child chip circle clamp class clay clip clock closed cloud club coal coast coat code coil cold collapse
color comb compound conceive congestion constant control copper core corn cost cough count court cover crack cramp crash crest
crown crush crystal cube culture cup curve cut cycle damage dare dark date deaf death decay deep deer defer degree delay
dental depression depth desert diet dish dose double drag dream drill drop drum dry duck dust dwarf ear early earth east
eat edge egg elder emotion end erosion error even ever exhaust eye face fact faint fall falls fan far fast fasting fat
fate fatigue fear feature feet fever field fight fire fish fist fit fits flag flat flea flies flow flower fluid flush fly
foam focus fog fold food foot force form fox fracture free frog fruit fur fury gas gate gel gene germ giant girl
gold golf grade graft grain grass great green grey grip ground growth guilt gum gut hair hand harm head heart heat height
helix hemp herd hip hole home honey hook hope horn horse host hot hump hunger hurt ice ill impact injury ink insight
iron itch jaw jet joint jump junction keen key kidney kit knee knot label lag lake lamb lamp language large laser last
late lead leaf leak learning lesion lesions letter level lid lie lift light limb lime limp line lines link lip lisp live
liver lock long loop loss love low lump lung luster mad magic maple map mark marker mask mass mast mate mature meat
med media memory mental mercury met mice mild milk mind mint minor mode mold mole mood moon motion mouse mouth mucus multiple
mum muscle myth nail narrow neck need nerve nest net nickel night nit node noise normal nose notch null number numb nut oil
old open orange organ ox pace pain pains pair palm paper paralysis parent part past patch path pea peel peg period phase pie
pig pin pit plague plant plaque plasma plate plum pod point poison pole pool poor pork port posture pot power present press pressure prey
primary prime problem process prolapse protein pulse pump pupil purple push quit rage rain ran rape rash rat rate reaction
red reflex relapse relief repair rest retreat rib rice ring ripe rise risk roar rod role roof root rose rot rough round
row rub run rupture rush sac sad salt sand scale scar scared scurf sea seal seed seizure sense septic set sex shaft
shake shape shark sheep shell shingles shock shore short shot shoulder sick side sight silk silver size skin skip sleep
slim slow small smell smoke snail snake snap snow soft soil solid sore sound soy spark spasm speech spider spike spine
spleen split spot spots spray spring sprain square stable stain stem step sterile sting stomach stone stool stop stress stretch stroke strong
stump stupor sty sugar suicide sulfur sun supply swallow sweat sweet swelling system tail tall tan tap target taste tea tear
tears teeth term test thick thin thirst thorn thrush thumb tic tick tie tin tip tire tired toe tone tongue tooth top torch
torn toxic trace track transport trap trauma travel tree tremor trip trunk tube tumor turn twin twins type ulcer union unit
vapor vein vessel vision voice void vomit wall war warm wart wash waste water wave wax weak weakness wear web weight
well west wheat wheel wheeze whey whip white wing wink winter wit wolf wood work worm worry wound wounds wrist yam yeast
yellow young zinc
`)

// OrdinaryWord reports whether a name is also a word of ordinary English: "lead", "cold".
// It knows a few hundred words.
func OrdinaryWord(name string) bool {
	key := normalize.Normal(name)
	return ordinaryWords[key] || commonWords[key]
}
