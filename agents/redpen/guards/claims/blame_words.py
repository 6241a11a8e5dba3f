"""Words of blame: kinds of organisation, adverbs, failings, what binds, and what only blunderers do."""

from __future__ import annotations

from redpen.guards.claims.benefit_kinds import forms

ORGANISATIONS = frozenset(
    "district bank airline company council school college university academy clinic hospital surgery "
    "practice pharmacy operator railway library museum gallery theatre utility authority firm organisation "
    "organization agency management department office store shop supermarket retailer hotel depot warehouse "
    "lab laboratory ministry restaurant business insurer society association club trust board institute "
    "institution foundation municipality city town county government courier shipper publisher broker "
    "landlord employer nursery zoo park cinema studio brewery bakery factory plant yard port airport station "
    "team crew staff leadership".split()
)
"""What the writer may be called by its kind."""
CARELESSLY = frozenset(
    "carelessly negligently recklessly sloppily rashly thoughtlessly irresponsibly incompetently ineptly "
    "unprofessionally amateurishly clumsily heedlessly inattentively lazily foolishly stupidly mistakenly "
    "erroneously inexcusably unforgivably shamefully culpably imprudently ham-fistedly complacently "
    "neglectfully inconsiderately unthinkingly short-sightedly lackadaisically haphazardly "
    "shoddily unwisely idiotically blunderingly".split()
)
"""Adverbs that only blame puts beside what somebody did."""
POORLY = frozenset(
    "badly poorly wrongly incorrectly improperly inadequately insufficiently wrong unsafely "
    "unfairly shabbily terribly dreadfully appallingly atrociously abysmally disgracefully".split()
)
"""Adverbs of what is done badly, which is blame only right after what we did."""
FAILINGS = frozenset(
    "blunder blunders slip slips slip-up slip-ups mistake mistakes failing failings failure failures "
    "oversight oversights negligence carelessness incompetence shortcoming shortcomings lapse lapses "
    "misjudgement misjudgements misjudgment mismanagement wrongdoing neglect ineptitude recklessness "
    "sloppiness complacency inattention misstep missteps misdeed misdeeds error errors bungling mishandling "
    "malpractice dereliction indifference gaffe gaffes goof howler botch bungle omission omissions".split()
)
"""Nouns of failing that are blame where they are called our own."""
BREAKS = forms(
    "~breach breach breaches ~violate violation violations ~contravene ~infringe ~flout ~transgress "
    "~break ~renege ~dishonour ~dishonor ~betray"
)
BONDS = frozenset(
    "contract contracts agreement agreements duty duties obligation obligations terms sla slas promise "
    "promises licence license regulation regulations law laws statute code charter guarantee warranty "
    "undertaking undertakings commitment commitments trust rules policy policies pledge pledges word "
    "covenant act standards".split()
)
"""What binds the writer."""
KEEPS = forms(
    "~meet ~fulfil ~fulfill ~honour ~honor ~keep ~discharge ~observe ~comply ~adhere ~satisfy ~act ~exercise "
    "~show ~live ~uphold ~perform ~respect ~abide ~deliver ~do ~take ~follow"
)
DUTIES = frozenset(
    "duty duties obligation obligations commitment commitments responsibilities sla slas agreement standards "
    "promise promises diligence contract terms care job homework due caution prudence".split()
)
"""What the writer has to do or to show."""
BUNGLES = forms(
    "~bungle ~botch ~mishandle ~misjudge ~misconfigure ~mismanage ~fumble ~mislay ~misfile ~mislabel "
    "~neglect ~overlook ~bodge ~blunder ~err ~misroute ~misprice ~miscalculate ~flub ~wrong "
    "~mistreat ~shortchange"
) | frozenset(("wrong",))
"""What only blunderers do; "wrong" after "went" or "did"."""
UNDONE = frozenset(
    "undone unread unchecked unanswered untested unattended unmonitored unreported unfinished neglected "
    "ignored overlooked mishandled skipped forgotten missed botched bungled mislaid misplaced mismanaged "
    "disregarded misfiled mislabelled mislabeled misrouted mixed unpatched unguarded unlocked".split()
)
"""How things are left by who neglects them."""
BLAMED = frozenset("fault blame wrong culpable negligent guilty blameworthy remiss".split())
BLAMED_FOR = frozenset("liable answerable accountable responsible".split())
"""Predicates of blame; those that also tell whose task something is need the trouble after them."""
