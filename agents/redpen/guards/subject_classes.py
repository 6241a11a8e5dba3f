"""Nouns that are counted, by the group of things that they belong to."""

from __future__ import annotations

CLASSES: dict[str, str] = {
    stem: group
    for group, stems in (
        (
            "people",
            (
                "customer user account member subscriber shopper buyer seller people patient student pupil "
                "visitor passenger cardholder guest driver rider player gamer viewer listener reader "
                "household individual merchant retailer tenant partner organization organisation company "
                "business employee employer worker engineer agent staff team vendor supplier admin "
                "administrator operator developer integrator analyst recipient sender school clinic hospital "
                "store shop teacher parent resident citizen traveller traveler fan attendee holder owner "
                "family home house building caller courier restaurant trader investor donor consumer adult "
                "child doctor nurse landlord publisher advertiser creator host dealer farmer tester commuter "
                "voter claimant policyholder borrower payer payee patron skier clerk grower audience "
                "participant candidate applicant learner booker motorist cyclist spectator watcher diner "
                "walker gardener pensioner tourist holidaymaker swimmer runner volunteer trainee apprentice "
                "officer pharmacist accountant lawyer delegate freelancer contractor taxpayer homeowner "
                "occupant inhabitant villager tutor instructor carer exhibitor contestant"
            ),
        ),
        (
            "paying",
            (
                "payment checkout order purchase transaction charge sale basket cart authorization "
                "authorisation"
            ),
        ),
        ("refunding", "refund reversal"),
        ("booking", "booking reservation appointment slot"),
        ("moving", "transfer payout withdrawal deposit settlement trade"),
        ("billing", "invoice bill subscription renewal"),
        ("activating", "activation redemption"),
        ("instrument", "card wallet voucher coupon balance fund banknote"),
        (
            "message",
            (
                "message email sms text webhook notification newsletter letter receipt push voicemail "
                "digest mailing reminder"
            ),
        ),
        ("alert", "alert alarm warning page dispute chargeback complaint report case"),
        ("enquiry", "ticket enquiry inquiry"),
        ("session", "login session signup token authentication password logout"),
        ("request", "request call lookup api response error search retry"),
        (
            "data",
            (
                "data row file record table document job pipeline dashboard dataset batch upload download "
                "backup event entry export import index field figure photo folder workspace"
            ),
        ),
        (
            "system",
            (
                "server node cluster database instance region datacenter zone service system site domain "
                "resolver rack disk link router network component app device endpoint integration sensor "
                "thermostat meter camera scooter bike vehicle locker door lock barrier charger reader desk "
                "lift elevator escalator station gate terminal machine kiosk firmware machinery"
            ),
        ),
        (
            "goods",
            (
                "parcel package shipment delivery item product room seat catalog catalogue listing stock "
                "prescription medicine meal"
            ),
        ),
        (
            "journey",
            "trip ride collection journey flight train bus route pickup departure arrival connection sailing",
        ),
        ("media", "video stream lesson subtitle song playback image"),
        (
            "place",
            (
                "country city state province market geography continent location office depot warehouse "
                "branch airport"
            ),
        ),
        ("episode", "outage time update step phase wave round occasion occurrence"),
    )
    for stem in stems.split()
}
"""Groups of things that are counted; what is in one group is not what is in another."""
