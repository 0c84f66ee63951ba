package language

var englishTagging = Tagging{
	// The first block is PubMed's list of stop words (PubMed User Guide, "Stopwords"), the second is other function
	// words. The third is words of ordinary abstracts that MEDIC also lists as names of diseases: an acronym that reads
	// as a word (glass, oak, star), an editor's remark (included), or a word in another of its senses (a bacterial
	// strain). In 194 million characters of abstracts, tagged with half of MEDIC, they were found 19,000 times, almost
	// never as the disease.
	CommonWords: words(`
		a about again all almost also although always among an and another any are as at be because been before
		being between both but by can could did do does done due during each either enough especially etc for found
		from further had has have having here how however i if in into is it its itself just kg km made mainly make
		may mg might ml mm most mostly must nearly neither no nor obtained of often on our overall perhaps pmid
		quite rather really regarding seem seen several should show showed shown shows significantly since so some
		such than that the their theirs them then there therefore these they this those through thus to upon use
		used using various very was we were what when which while with within without would

		after he her him his not off only other out over she under until us via who whom whose why yes you your

		fed glass included oak star strain strains tar`),
	// They are heads of names, and what MeSH files under "Disease Attributes" (C23.550.291). A sentence with one of
	// them may be about any disease.
	GeneralTerms: words(`
		abnormality abnormalities complication complications condition conditions defect defects disease diseases
		disorder disorders finding findings illness illnesses sign signs symptom symptoms syndrome syndromes

		acute_disease acute_diseases catastrophic_illness chronic_disease chronic_diseases chronic_illness
		chronic_illnesses convalescence critical_illness critical_illnesses critically_ill disease_attributes
		disease_progression disease_susceptibility emergency emergencies genetic_predisposition
		genetic_susceptibility rare_disease rare_diseases recurrence recurrences relapse relapses

		birth_weight cadaver cadavers gain_weight signs_and_symptoms`),
	// Dictionaries of diseases, chemicals, genes and organisms have these.
	OrdinaryWords: words(`
		act acts aim air apex arc arch arm arrest arson art ash aster attack aura bad bag band bar bark base bases
		bat beam bear bee bend bends bent best bid big bile bit bite black blast bleb blind blister block blood blot
		blow blue body boil bond bone book boss bow bowel box break breast bright brown bruise brush buck bud bump
		burn cable cage calculi calculus calm camp cane canker cap car carbon card care cast cat cell chance change
		channel charm chase check chest child chill chip choking circle clamp class clay clip clock closed cloud
		club cluster coal coast coat code coil cold collapse color comb compound compression conceive confusion
		congestion constant contraction control copper core corn corpse cost count court cover crack crackle cramp
		crane crash crest crown crush crystal cube culture cup curve cut cycle cyst dam damage dare dark date deaf
		death decay deep deer defer degree delay dental depression depth desert diet discharge dish dislocation
		displacement dissociation dose double drag dream drift drill drop drum dry duck dust dwarf ear early earth
		east eat edge egg elder elevation emergency emotion end erosion error even ever exhaust exhaustion expansion
		eye face facies fact faint fall famine fan far fast fasting fat fate fault fear feature feet field fight
		fire fish fissure fist fit fits flag flat flea flies flow flower fluid flush flushing fly foam focus fog
		fold food foot force form fox fracture free frog fruit fugue fur fury fusion gall ganglia ganglion gap gas
		gate gel gene germ giant girl gold golf grade graft grain grass great green grey grip ground growth guilt
		gum gut hair ham hand harm head heart heat height helix hemp herd hip hive hole home honey hook hope horn
		horse host hot hump hunger hurt ice ill impact impaction inclusion ink insight inversion iron jaw jet joint
		jump junction keen key kidney kit knee knot label labor labour lag lake lamb lamp language large laser last
		late lead leaf leak learning letter level lid lie lift light limb lime limp line lines link lip lisp live
		liver load lock long loop loss love low lump lung luster mad magic map maple mark marker mask mass mast mate
		mature meat med media memory mend mental mercury met mice mild milk mind minor mint mode mold mole mood moon
		motion mouse mouth mucus multiple mum muscle myth nail narrow neck need nerve nest net nickel night nit node
		noise normal nose notch null numb number nut occlusion oil old open orange organ ox pace pair palm paper
		parent part past patch path pea peel peg period phase pica pie pig pile pin pinta pit plague plan plant
		plaque plasma plate plug plum pod point poison pole polyp pool poor pork port posture pot power pox present
		press pressure prey primary prime problem process protein pulse pump pupil purple push quit rage rain ran
		rape rash rat rate reaction recurrence red reflex relief repair rest retardation retraction retreat rib rice
		rigidity rigor ring ripe rise risk roar rod role roof root rose rot rough round row rub run rupture rush sac
		sad salt sand scab scale scar scared scour scurf sea seal seed sense septic set sex shaft shake shape shark
		shear sheep shell shift shingle shingles shock shore short shot shoulder sick side sight silk silver size
		skin skip sleep slide slim slip slow small smell smoke snail snake snap snow soft soil solid sore sound soy
		spark speech spider spike spine spleen split spot spotting sprain spray spread spring sprue spur square
		stable stain star starvation stem step sterile sterility sting stitch stomach stone stool stop strain stress
		stretch stroke strong stump sty sugar sulfur sun supply swallow sweat sweet swelling swing syncope system
		tail tall tan tap target taste tea tear teeth tension term test thick thin thirst thorn thrush thumb tic
		tick tie tin tip tire tired toe tone tongue tooth top torch torn torsion toxic trace track transfer
		transport trap travel tree trip trunk tube turn twin twins type union unit vapor vein vent vessel vision
		voice void wall war warm warp wart wash waste water wave wax weak wear web weight well west wheat wheel
		wheeze whey whip white wing wink winter wit withdrawal wolf wood work worm worry wound wrist wryneck yam yaw
		yaws yeast yellow young zinc zona`),
	ShortDiseaseNames: words(`flu pox sty tic wen`),
	// "s" is what normalization leaves of a possessive.
	LinkingWords: words(`a an and by de due for from in of on or s the to with`),
	Articles:     []string{"a", "an", "the"},
}
