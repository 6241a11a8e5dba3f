"""Classes of words that patterns name: who, what is worth keeping, what is paid, how it is given or seen."""

from __future__ import annotations

from types import MappingProxyType

WORD_CLASSES = MappingProxyType(
    {
        "be": "is are am was were be been being 's",
        "ours": "we i us our team company",
        "readers": "you customers everyone everybody anyone users guests clients members they who them "
        "subscribers merchants riders fans shoppers each every",
        "outsiders": "outsider outsiders stranger strangers attacker attackers hacker hackers intruder "
        "intruders criminal criminals thief thieves fraudster fraudsters party parties actor actors "
        "else outside unauthorised unauthorized other others",
        "private": "data information details detail records record credentials password passwords funds "
        "money card cards account accounts message messages conversations conversation chats photos photo "
        "pictures files file documents document backups identity privacy wallet wallets savings deposits "
        "deposit balance balances balances' emails email mail addresses address grades results "
        "scores history "
        "transactions invoices orders order bookings booking reservations reservation profile profiles "
        "number numbers contacts pin pins prescriptions statements salary salaries cent cents penny euro "
        "dollar content contents recordings settings points payment payments",
        "sees": "~see ~read ~view ~access ~touch ~open ~copy ~obtain ~download ~steal ~take ~get ~gain "
        "~have ~reach ~enter ~misuse ~abuse ~use ~know ~learn ~intercept ~harvest ~look ~peek ~break ~find",
        "handled": "touched tampered altered modified changed manipulated copied deleted erased wiped viewed "
        "leaked sold stolen taken shared damaged harmed involved exposed compromised lost moved "
        "misused abused "
        "opened accessed read seen disclosed published released removed overwritten concerned",
        "fee": "fee fees charge charges cost costs price prices fare fares postage shipping interest penalty "
        "penalties surcharge surcharges bill bills invoice invoices overdraft commission toll levy premium",
        "money": "money fee fees charge charges cost costs fare fares price postage payment payments deposit "
        "deposits amount amounts sum sums funds cash purchase expenses difference bill subscription rent "
        "interest penalty tip premium",
        "expense": "cost costs fee fees expense expenses loss losses damage damages bill bills taxi taxis "
        "cab "
        "hotel hotels call calls charges postage interest penalty penalties difference transport ticket "
        "tickets meal meals night nights fare fares shipping replacement surcharge overdraft parking fuel",
        "perk": "bonus bonuses perk perks freebie freebies gift gifts present treat credit credits voucher "
        "vouchers coupon coupons rebate discount discounts cashback points upgrade extras reward rewards "
        "token gesture payout compensation month months topup miles goodwill allowance",
        "gives": "~give ~add ~put ~send ~offer ~grant ~issue ~load ~drop ~apply ~include ~throw ~earn "
        "~receive ~get ~enjoy ~collect ~claim ~find ~pop ~place ~award ~gift ~slip ~treat ~hand ~extend "
        "~prepare ~owe ~deposit ~provide ~deserve ~await",
        "repairs": "fix fixes hotfix patch patches repair repairs rollback correction remedy solution "
        "mitigation cure",
        "slip": "mistake mistakes error errors blunder blunders slip lapse misstep misjudgement oversight "
        "misjudgment howler gaffe failing failings shortcoming shortcomings",
        "trouble": "issue issues problem problems incident incidents outage outages failure failures error "
        "errors fault faults disruption disruptions trouble troubles delay delays slowdown slowdowns "
        "degradation interruption downtime timeouts crashes crash declines drops symptoms mess impact "
        "slowness latency backlog it this that everything these those all",
        "service": "checkout checkouts payments orders service services system systems platform app site "
        "website api search logins login sign-in mail delivery deliveries calls messages bookings exports "
        "reports videos streams maps dashboards codes notifications uploads downloads queries requests "
        "transactions everything all access queue jobs data files tracking trips rides",
    }
)
"""Words by class, parted by spaces; ``~`` stands for all forms of a verb."""
