package language

// englishAssertion has the terms of the lists that the authors of NegEx and ConText published
// (github.com/chapmanbe/negex: negex_triggers.txt, history_triggers.txt, hypothetical_triggers.txt,
// experiencer_triggers.txt) and of medspaCy (resources/en/context_rules.json), as far as they hold in abstracts too,
// and more.
var englishAssertion = Assertion{
	Triggers: []Triggers{
		{After: Negated, Terms: `
		no, not, without, w/o, never, neither, nor, nil, none of, cannot, can't, isn't, aren't, wasn't, weren't,
		don't, doesn't, didn't, hasn't, haven't, hadn't, couldn't, won't, no evidence |of|for, no e/o,
		nil evidence of,
		no sign|signs|symptoms|indication|cases|case|findings|suspicion|complaints|suggestion|cause|history of,
		no findings|evidence|signs|features|symptoms suggesting, no |findings|evidence|signs|features suggestive of,
		no findings|evidence|signs|features to suggest|indicate,
		no |findings|evidence|signs|features concerning|suspicious for,
		no |findings|evidence|signs|features consistent|compatible with, not suggestive|indicative of,
		not consistent|compatible with, not concerning|suspicious for, not suggest|indicate, inconsistent with,
		low suspicion for|of,
		no further|additional|recurrent episodes|episode|signs|symptoms|evidence|complaints|attacks of,
		no |further signs or symptoms of, not have, not have any|evidence|signs|symptoms,
		not have evidence|signs|symptoms of, not had, not show, not see, not find, not reveal, not demonstrate,
		not detect, not develop, not appear, not complain of, not exhibit, did not develop, not feel, not appreciate,
		not know of, not known to have|be, not to be, not endorse, not report, not experience, no longer has|have,
		nothing to suggest|indicate, nothing suggestive of, no longer has|have any,
		no longer complains|complaining of, absence of, in the absence of, lack of, lacks, lacked, lacking, denies,
		denied, denying, deny, free of,
		free from, clear of, uninvolved by, not involved by, negative for, tested negative for, neg for,
		rather than, instead of,
		is|are|was|were|been|be|remains|remained negative for, fails|failed to reveal|show|detect|demonstrate,
		with no history of, denies |any history of,
		without |any|clear evidence|signs|symptoms|history|indication|sign of, without evidence, ruled out,
		ruled out for|against, is|are|was|were|been|be ruled out for|against, rule|rules|ruled him|her out,
		rule|rules|ruled him|her out for|against, rules|ruled the patient out,
		rules|ruled the patient out for|against, did|can rule out, rules out, excludes, excluded, unremarkable for,
		|is|are|was|were unrevealing for, low|minimal|no|little concern for|of|about|regarding, not concerned for|about,
		denies|denied|without |any symptoms|signs|features suggestive|concerning of|for, yet to develop,
		argues|argue|arguing|speaks|speak against, no reason to suspect|think|believe, nothing to support,
		not c/o |any,
		doesn't|don't|didn't c/o |any,
		fails|failed to confirm|identify, not confirm, not look|sound like, not believe this|it represents|is,
		no c/o, without|w/o c/o, denies|denied|denying|deny c/o, denies|denied|denying complaint|complaints of,
		not complaining of, without|w/o complaint|complaints of, no complaint of, no report|reports of,
		no s/s|s/sx, no s/s|s/sx of,
		no new, no known, no other, no more, no longer, resolution of, no previous, no prior, evidence against,
		mother|father|mom|mum|dad|wife|husband|daughter|son|parents|family denies|denied|deny`},
		{Before: Negated, Terms: `
		is|are|was|were|been|be|being ruled out, is|are|was|were|been|be excluded, is|are|was|were absent,
		is|are|was|were not present|seen|observed|detected|found|identified|noted|evident|demonstrated,
		is|are|was|were not visualized|reported|appreciated|heard|palpable|palpated|felt|elicited|visible|apparent,
		is|are|was|were not demonstrable|detectable|discernible|discerned|confirmed|visualised,
		could not be appreciated|palpated|felt|heard|elicited|visualized|visualised|detected|demonstrated|identified,
		could not be seen|found,
		could not be confirmed, ruled out with|by|on|after|via, excluded with|by|on|after|via, 0/10,
		conspicuous by its|their absence,
		not observed|detected|found|identified|present|evident|visualized|appreciated|palpable|heard|elicited|visible,
		has|have|had stopped|ceased|subsided|abated|disappeared, is|are gone,
		has|have|had not developed|occurred|recurred|returned, went away, has|have gone away,
		is|are no longer present|seen|evident, no longer present, has|have|had |now|since|all|completely resolved,
		which has|have|had |now|since resolved|cleared|settled, now resolved, resolved, has|have cleared,
		has|have|had settled, settled with|after, is|are|was|were negative|unrevealing, been negative|unrevealing,
		did not occur|develop|recur, absent since|today,
		is|was|were|are denied, non detected, negative on`},
		{Before: Negated, Final: true, Terms: `
		ruled out, excluded, denied, absent, negative, neg, settled,
		not present|seen|noted|reported|identified|found|visualized|appreciated|detected`},
		{Before: Negated, Adjacent: true, Terms: `free, negative, prophylaxis`},
		{After: Negated, Adjacent: true, Terms: `resolved, neg, non, zero`},

		{After: Uncertain, Terms: `
		possible, possibly, probable, probably, suspected, suspect, suspects, suspicious for|of, suspicion of|for,
		presumed, presumably, presumptive, likely, questionable, suggestive of, suggestive but not diagnostic of,
		not diagnostic of|for, prob, suggests, suggesting, consistent with,
		question of, low probability|likelihood of, poss, rule out, to rule out, r/o, rule out for, to exclude,
		evaluate for, evaluated for,
		may|might|could have|be|represent|reflect, may|could indicate, concern|concerning|concerned|worrisome for,
		concerned|worried about, worries|worried |that he|she|they has|have|had, surprised if,
		differential diagnosis includes, differential includes, in keeping with, worried re|regarding,
		concern|concerns|concerned re|regarding, might|could|may this|it|he|she be|have,
		cannot|can't|couldn't tell if|whether, could not tell if|whether, hard|difficult to say|tell if|whether,
		working|provisional dx, working|provisional dx of, |previously queried, treated empirically for,
		empirically treated for, empiric|empirical treatment for|of,
		cannot|can't|couldn't rule out, could not rule out, cannot|can't|couldn't exclude, could not exclude,
		cannot be excluded, unable to rule out, unable to exclude, not excluded, not certain if|whether,
		not clear if|whether, unclear if|whether, uncertain if|whether, appears to be|have, perhaps,
		potential case of, potentially, not exclude, not rule out, does|did not exclude, does|did not rule out,
		should|must|may|might|could|will|can be ruled out for, suspicion was raised of, compatible with,
		working|provisional diagnosis of, doubt, doubts, unlikely that, unlikely that he|she|they|patient has|have,
		equivocal|indeterminate for, workup|evaluation for, work up for,
		am|are considering, unlikely to have|be, is|are|was|were unlikely to have|be,
		raises|raised |the possibility of, possibility of`},
		{Before: Uncertain, Terms: `
		cannot|can't|couldn't be |entirely|completely|fully|definitively excluded,
		could not be |entirely|completely|fully|definitively excluded,
		cannot|can't|couldn't be |entirely|completely|fully|definitively ruled out,
		could not be |entirely|completely|fully|definitively ruled out, is|remains a possibility, not be excluded,
		not be ruled out, not excluded, not ruled out, was not ruled out,
		has|have not been excluded, has|have not been ruled out, not been excluded, not been ruled out,
		should|must|may|might|could|will|can be ruled out, should|must be excluded, to be ruled out, to be excluded,
		is|was|are possible, is|was likely, is|was probable, is|was|are|were|been suspected, is|was|are unlikely,
		unlikely, is considered, was considered, is|was questionable, is|was|remains uncertain,
		is|remains in|on the differential, in|on the differential diagnosis, did not rule out, did not exclude,
		is|are|was|were|felt|seems less likely`},

		{Before: Uncertain, Final: true, Terms: `possible, probable, suspected, likely, less likely, questionable,
		queried, suspect`},
		{After: Uncertain, Before: Uncertain, Between: true, Terms: `versus, vs`},

		{After: Uncertain, Initial: true, Terms: `unlikely, consider, favor, query`},

		{After: Historical, Terms: `
		history, hx, history|hx of, past history, past|prior history|hx of,
		past medical|surgical|psychiatric history|hx,
		past medical|surgical|psychiatric history|hx of, medical history, medical history of,
		previous|known|personal|remote history of, no history of, without |any history of, with no history of,
		denies |any history of, status post, s/p, h/o, pmh, pmhx, psh, history significant|notable for,
		childhood history of, previously diagnosed with, previously treated for, previous|prior episode|episodes of,
		previous|prior admission|admissions|hospitalization|hospitalizations with|for,
		survivor|survivors of, previously had, used to have, in |full|complete|sustained|partial remission from|of, years ago,
		months ago, in the past, in the past for, in childhood`},
		{Before: Historical, Terms: `
		in the past, last year|winter|summer|spring|autumn, in remission for|since, years|year|months ago,
		in childhood|infancy|adolescence,
		as a child|baby|newborn|toddler|teenager|teen, as an infant|adolescent, in the remote past,
		in his|her past, by history, |since|has outgrown`},
		{After: Historical, Adjacent: true, Terms: `prior, previous, old, |old healed, remote, former, childhood,
		pre-existing, preexisting`},
		{Before: Historical, Adjacent: true, Terms: `history`},

		{After: Hypothetical, Terms: `
		if, return for|if|with, return to the emergency department|room|ed|er for|if|with, come back for|if|with,
		come back to the ed for|if|with, call |also|us|her|him for|if, call also for any,
		alert|notify |the|your|us doctor|physician|nurse if,
		alert|notify|call|page |the|your doctor|physician|nurse|provider|team|md for,
		at |high|increased|low risk for|of, high|increased risk for, should he|she|they|you develop|have,
		should the patient develop|have, should there be, should he|she, in case of, in the event of, as needed for,
		prn, prn for, watch|monitor for, look|watch out for,
		warned about|of|re|regarding, risks discussed|explained,
		contact us|me|clinic|office for|if|with, surveillance for, surveillance for recurrence of,
		safety netted|netting for|re|regarding|about, safety net advice for|re|regarding|about,
		seek |medical|immediate|urgent|emergency care|attention|help for|if,
		return|call|come back should, return precautions |given|discussed|reviewed for, return precautions,
		warning signs, risks include|including, for |the|primary|secondary prevention of`},

		{After: Hypothetical, Initial: true, Terms: `assess|observe|check|screen|test|look for`},
		{After: Hypothetical, Adjacent: true, Terms: `should |any|the|his|her|your|worsening`},

		{After: OtherPerson, Terms: `
		family |medical history|hx, family history|hx|h/o of, family h/o, maternal|paternal side,
		partner |was|is|recently diagnosed|treated with|for, fam history|hx, fh, fhx,
		mother, father, mom, mum, dad, brother, brothers, sister, sisters, sibling, siblings, son, sons, daughter,
		daughters,
		|maternal|paternal aunt|aunts|uncle|uncles|cousin|cousins|grandmother|grandfather|grandparents|grandparent,
		mgm, mgf, pgm, pgf, niece, nephew, grandson, granddaughter,
		mother's, father's, mother|father|brother|sister has, brother's, sister's, mom's, dad's, son's, daughter's,
		aunt's, uncle's, grandmother's, grandfather's, parents, family member|members, relative|relatives with,
		first degree relative|relatives, husband, wife, spouse, husband's, wife's, roommate, girlfriend, boyfriend,
		stepfather, stepmother, his|her partner, partner has|had, partner's`},
		{Before: OtherPerson, Terms: `
		in the family, in his|her|their family, runs in the family,
		in his|her mother|father|brother|sister|aunt|uncle|son|daughter,
		in |maternal|paternal mother|father|brother|sister|aunt|uncle|grandmother|grandfather|siblings, in relatives,
		in first degree relatives, in family members`},

		// Pseudo-triggers.
		{Terms: `
		no |suspicious|significant|interval|definite change, no |significant changes, no change in,
		no significant interval change, no |significant increase, no increased, no increase in,
		no |significant|real|further improvement in|of, no relief of|from, no worsening of, no response of|to,
		not respond, not responded, not responding,
		no |significant difference|differences, no doubt, no sooner, no matter,
		no further work|workup|evaluation|treatment|testing|imaging|intervention|management|follow|details,
		no further investigation|investigations|therapy|action,
		no less|more|fewer than, not only, not just, not merely, not simply, not solely, not necessarily, not always,
		not all, not every, not extend, not cause, not drain, not to mention, whether or not, if not, or not,
		without difficulty, without further, without doubt, without regard to, without increase,
		without |intravenous|iv|oral contrast, without change, gram negative, false negative, false negatives,
		not prescribed |any, not taking |any, not on |any, double negative, negative feedback, negative affect,
		negative control, negative controls, negative pressure, rh negative, lack of change, not yet, with or without,
		with and without, without and with, presence or|and absence of, or absence of, trial no, case no, patient no,
		nothing but, none the less, non small cell, non small, likely to respond, more likely, less likely,
		as likely as not, natural history, history of present illness, history of presenting complaint,
		history of chief complaint, history taking, history and physical, history and physical examination,
		history and, history and examination, social history, poor history, life history, history physical,
		occupational history, clinical|patient|detailed|menstrual history, history from, a history from,
		hour|day|days|week|weeks|month|months history of, give|gives|gave|provide|provides|provided a history of,
		give|gives|gave|provide|provides|provided a history, evolutionary history, demographic history, case history,
		treatment history, year|years|month|months|week|weeks|day|days old, as if, what if, only if, even if, know if,
		if negative, mother to child, mother to infant, mother child, mother infant, daughter cell, daughter cells,
		sister chromatid, sister chromatids, sister group, sister species, sister taxon, family medicine,
		family physician, family physicians, family practice,
		wife|husband|mother|father|brother|sister|son|daughter of,
		by his|her wife|husband|mother|father|son|daughter|parents,
		with |his|her|the wife|husband|mother|father|son|daughter|parents by phone|telephone,
		spoke|spoken|speaking|talked|discussed with |his|her|the wife|husband|mother|father|mom|dad|son|daughter|parents,
		with his|her wife|husband|mother|father|son|daughter|parents, per mother|father|wife|husband|parents|family,
		mother|father|mom|mum|dad|wife|husband|daughter|son|parents|family reports|reported|report|states|stated|says|said,
		mother|father|mom|mum|dad|wife|husband|daughter|son|parents|family notes|noted|noticed|describes|brought,
		mother|father|mom|mum|dad|wife|husband|daughter|son|parents|family
		worried|concerned|thinks|think|feels|feel|believes|called|rang|phoned`},
		// Pseudo-triggers of abstracts, where a study denies or doubts a relation or an effect and not the disease.
		{Terms: `
		suggest|suggests|suggested|suggesting that, suggests|suggesting a role, suggests an association,
		may|might|could be associated with, may be related to, might be related to,
		may|might|could be useful|effective, may|might be helpful, may be beneficial, may|could be used,
		may|might|could be involved in, may|might be important in, may be caused by, may|might be due to,
		may|might|could be a risk factor, may|might|could be considered, possible role, possible roles,
		possible mechanism, possible mechanisms, possible risk factor, possible risk factors, possible association,
		possible link, possible relationship, possible treatment, possible effect, possible effects,
		no |significant association|correlation, no relationship, no relation, no |significant effect|effects,
		no influence, no impact, no benefit, not |significantly associated with, not related to, not correlated with,
		not significantly, not affect, not influence, not alter, not improve, not reduce, not decrease, not increase,
		not prevent, not differ, not known, not toxic`},

		// Termination terms.
		{Ends: []Dimension{Polarity, Temporality, Experiencer}, Terms: `
		but, however, nevertheless, nonetheless, yet, though, although, still, aside from, except, except for,
		apart from, other than, with the exception of, secondary to,
		as a|an|the |secondary cause|source|reason|etiology|origin of|for,
		cause|causes|reason|reasons|etiology|source|sources|origin|origins of|for, due to, because of, given,
		trigger event for, other possibilities of, whereas, while, despite, in spite of, which, not but`},
		{Ends: []Dimension{Polarity, Experiencer}, Terms: `
		in patients|subjects|individuals with, in a patient with, among patients|those with, patients|patient with,
		in patients with and|or without, patients with and|or without`},
		{Ends: []Dimension{Polarity}, Terms: `
		had |a higher, had |a lower, had more, is|are|was|were associated with, prevents, induces, compared with|to,
		than, when, so that, therefore, thus, hence, then, until, positive for, positive, tested positive for,
		admits |to, endorses, and he|she|patient is|was|has|had, he|she|patient|pt has|had|is|was,
		and takes|uses|reports|presents|complains|continues|requires|received|underwent|developed,
		there is|are|was|were`},
		{Ends: []Dimension{Polarity, Temporality}, Terms: `
		|who presents|presented|presenting |with|w/, here with|for, came |in with|for, adm with|for,
		brought in with|for, |who presented for, who has|had|was|is, who was |initially|then admitted, p/w,
		complains|complained|complaining |of, c/o, coming|comes in with, reports, found to have, noted to have,
		was |initially admitted, |was admitted to|with|for`},
		{Ends: []Dimension{Temporality}, Terms: `who, because, since, with residual|resulting|subsequent`},
		{Ends: []Dimension{Temporality}, Past: true, Terms: `
		reported, states, stated, was found,
		was found to have|be, today, now, currently, on admission, on examination, emergency department, ed, recent,
		recently, noted, sudden onset of, consistent with, new onset, denies, denied, denying, no, not, without,
		no evidence of`},
		{Ends: []Dimension{Experiencer}, Terms: `
		patient|pt has|had|is|was, patient, the patient, patients, the patients, pt, proband, the proband, index case,
		patient himself|herself,
		personal history of, personal history, patient's,
		and he|she has|had|is|was|denies|reports|feels|looks|appears`},
	},
	Answers: map[Status]string{
		Negated: `no, none, nil, n, neg, negative, absent, denies, denied, never, not present, not seen, not found,
			not detected, not reported, not noted, not identified, none known, none noted, none reported, none seen,
			none identified, none found, no evidence, ruled out, excluded, resolved, not at all, he denies, she denies,
			patient denies, pt denies, -, −, –`,
		Uncertain: `possible, possibly, probable, probably, suspected, questionable, likely, unlikely, uncertain, maybe,
			not sure, unsure, cannot be excluded, not excluded, ?`,
		Usual: `yes, y, positive, pos, present, +, confirmed, true`,
	},
	ListLabels: map[string]Status{
		"neg": Negated, "negative": Negated, "negatives": Negated, "pertinent negatives": Negated,
		"differential": Uncertain, "differential diagnosis": Uncertain, "differential diagnoses": Uncertain,
		"ddx":                   Uncertain,
		"provisional diagnosis": Uncertain, "working diagnosis": Uncertain, "working dx": Uncertain, "query": Uncertain,
		"rule out": Uncertain, "ruled out": Negated, "excluded": Negated,
	},
	Headings: words(`
		assessment plan assessment_and_plan impression medications current_medications allergies labs
		laboratory_data vitals vital_signs hpi history_of_present_illness chief_complaint ros review_of_systems
		findings conclusion diagnosis diagnoses discharge_diagnosis physical_exam physical_examination exam
		examination imaging procedures hospital_course social_history recommendations discussion summary technique
		indication past_medical_history medical_history past_history past_surgical_history past_psychiatric_history
		family_history family_medical_history pmh pmhx psh fh fhx`),
	ClauseStarters: words(`
		history hx known has had have reports presents presented complains admits endorses now currently he she they
		patient pt there shows showed reveals revealed demonstrates demonstrated labs exam ct mri cxr ekg ecg vitals
		will started`),
	Degrees:      words(`trace mild minimal slight moderate small`),
	Affirmations: words(`present positive persists persist +`),
	QuestionWords: words(`
		is are was were do does did has have had can could should will would may might what which who whom whose why
		how when where any`),
	StatementOpeners: words(`
		he she they we patient pt reports denies complains states has had there presents positive`),
	ClauseWords: words(`
		he she they we i you patient pt was is were are had has have presents presented admitted today`),
	Unfinished: words(`
		a an the of for and or nor no not any with without to in on at by from as than is are was were be been has
		had have denies denied deny denying negative positive evidence signs sign symptoms history known possible
		probable suspected likely mild moderate severe acute chronic recent new old left right bilateral his her
		their our my this that which who if per vs versus dr mr mrs ms st metastatic recurrent prior previous
		including underlying significant`),
}
