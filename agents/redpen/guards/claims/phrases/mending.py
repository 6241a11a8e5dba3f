"""Phrases of trouble on the mend or done with: better by the hour, no slower than usual, off the list."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_over = partial(Phrase, "resolution", "state")
_said = partial(Phrase, "resolution", "word")
_gone = partial(Phrase, "resolution", "always")

_OPEN = (
    "not never until once when if whether hope hopes hoping aim try trying will should may might could would "
    "expect unless yet"
)
_ENDED = (
    "averted/banished/beaten/buried/cured/defeated/dispelled/disposed/eliminated/eradicated/ended/erased/"
    "exterminated/finished/foiled/lifted/obliterated/overcome/purged/quashed/quelled/removed/routed/scotched/"
    "settled/silenced/solved/sorted/squashed/stamped/swept/tamed/undone/uprooted/vanquished/wiped/thwarted/"
    "nipped/weeded/scrubbed/swatted/flushed/chased/driven/shown"
)

MENDING = (
    _gone(
        "no longer/slower/later/worse/longer/more/busier than usual/normal/normally/usually/ever/always/"
        "before/any/it/they/on/expected/planned/a",
        "Messages take no longer than usual to reach you.",
        "Messages take longer than usual.",
        unless=_OPEN,
    ),
    _gone(
        "~be *? looking/perking/shaping up",
        "Things are looking up.",
        "Things are not looking up.",
        unless=f"{_OPEN} please you we orders order parcel parcels",
    ),
    _gone(
        "things/situation/matters/pressure/speed/speeds/service/numbers/@service/@trouble & ~be/~have/~keep "
        "& improving/improved/easing/eased/recovering/abating/abated/receding/receded/lessening/lessened/"
        "brightening/brightened/rallying/rallied/mending/thawing/normalising/normalizing",
        "The delay has eased.",
        "The delay has not eased.",
        unless=f"{_OPEN} no we",
    ),
    _gone(
        "fewer/less & @trouble/failing/fail/failed/checkouts/late/slow/delayed & than & "
        "before/earlier/when/yesterday/first/last/ago",
        "Fewer checkouts are failing than before.",
        "More checkouts are failing than before.",
        unless=f"{_OPEN[: _OPEN.index(' when')]} expect",
    ),
    _gone(
        "~get/~grow/~become better/easier/faster/stronger/healthier/quicker/steadier/shorter/smoother/calmer "
        "by/and/with/every/each/all/$",
        "Sailings are getting better by the hour.",
        "Sailings are not getting better.",
        unless=_OPEN,
    ),
    _over(
        f"obstacle/obstacles/hurdle/hurdles/bother/obstruction/hindrance/snag/snags/hitch/hitches/nuisance/"
        f"bane/pest/gremlin/gremlins/culprit/blockade/barrier/barriers/stumbling/roadblock/roadblocks/cloud/"
        f"clouds/kink/kinks/wrinkle/wrinkles/crease/creases/creak/creaks/jitters/quirk/quirks * "
        f"~have/~be/~get *? been? ^{_ENDED}",
        "The obstacle at the gate has been removed.",
        "We are looking for the obstacle at the gate.",
    ),
    _over(
        "off our/the/my/everyone's/their *? list/plate/plates/agenda/desk/table/hands/worries/mind",
        "The matter is off our to-do list.",
        "The matter is not off our list.",
        unless="please you take",
    ),
    _said(
        "the/a/its/their/full thumbs/thumb up",
        "The security team gave sign-in the thumbs up.",
        "The security team did not give sign-in the thumbs up.",
    ),
    _over(
        "wound/~wind/~wrap/~pack/~finish/~tidy/~sew/~tie up * work/works/repair/repairs/job/investigation/"
        "tools/task/it/everything/things/this/$",
        "Our team has wound up its work.",
        "Our team has not wound up its work.",
        unless="with wait waiting queue once late",
    ),
    _over(
        "~have/~get it/this/everything/things/them/that all? ^sewn/stitched/mastered/"
        "wrapped/squared/buttoned/stitched/taped/pinned up/down/off?",
        "Our portal team has it all sewn up.",
        "Our portal team does not have it all sewn up.",
    ),
    _over(
        "order/calm/normality/normalcy/peace/quiet/routine/harmony/stability/sanity/tranquillity/business/"
        "life ~have/~be? *? ^returned/restored/prevailed/prevails/reigns/resumed/reestablished/again",
        "Order has returned to our sign-in service.",
        "Order has not returned to our service.",
        unless="book booking parcel money item items goods reader",
    ),
    _gone(
        "~behave itself/themselves/nicely/impeccably/well/again",
        "The upload page is behaving itself.",
        "The upload page is not behaving itself.",
        unless=f"{_OPEN} please",
    ),
    _over(
        "~pick/~pull/~drag/~haul/~lift itself/themselves up/together/out/off/round",
        "The service has picked itself up.",
        "The service has not picked itself up.",
    ),
    _gone(
        "nothing/little/naught left/more/further/remaining/else? for * to "
        "fix/do/repair/mend/solve/investigate/clear/restore/sort/patch/correct/chase/examine",
        "There is nothing left for our team to repair.",
        "There is much left for our team to repair.",
        unless="you know until",
    ),
    _gone(
        "~have the/our/your/all/it/them/every *? in working/good/full/perfect/fine/proper/tip-top/top "
        "order/trim/shape/form/condition/nick/fettle",
        "Technicians have the gates in working trim.",
        "Technicians do not have the gates in working trim.",
        unless=_OPEN,
    ),
)
"""Phrases that say that trouble is on the mend or done with."""
