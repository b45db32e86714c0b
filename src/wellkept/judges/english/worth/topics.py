"""What a text is about, as far as words say: things to keep private, work, places, tools, kinds of talk."""

from __future__ import annotations

from wellkept.judges.english.grammar.lexicon import words
from wellkept.patterns import deferred

JOKE = deferred(
    r"(?i)(?:^|\s)/s\b|\b(?<!not )(?<!no )(?:just |only |i['’]?m |im )?(?:kidding|joking)\b(?! aside)"
    r"|(?<!\w)j/?k(?!\w)|🙄|🤡|\byeah,? right\b"
    r"|\bsarcas\w+|\boh sure,|\bas if\b|\bqueen of england\b|"
    r"\b(?:i['’]?m|i am|im) (?:dead|dying|drowning|crying|screaming|literally dead)\b(?! (?:from|because|with)\b)|💀"
    r"|\bcould eat a (?:horse|cow)\b|\bwould kill for\b|\bwhen pigs fly\b|\boh great,|\bi just love\b(?=.*(?:waiting"
    r"|meetings|mondays|traffic))|🙃"
)
FICTION = deferred(
    r"(?i)\bonce (?:upon a time|there (?:was|were|lived))\b|\bin (?:the|this|my|that|his|her) (?:story|movie|film"
    r"|book|novel|game|show|series|dream|play|fanfic|scene|campaign)\b(?!\s*(?:club|shop|store))|"
    r"\b(?:my|the) (?:character|avatar|protagonist|oc|player|main character|persona)\b|\b(?:imagine|suppose|assume"
    r"|(?<!to )pretend|hypothetically|what if|let['’]?s say|say a|for example|e\.g\.)\b|\bwrite (?:me )?an? \w+"
    r"|\bit was a dark and stormy\b"
)
PLACEHOLDER = deferred(
    r"\[(?:[A-Z][A-Za-z _]*|[a-z]+ here)\]|\{\{?\w+\}?\}|<(?:name|city|place|your \w+|[A-Z_]+)>|_{3,}|\bTBD\b"
    r"|\bTBA\b|\bXXX+\b|\blorem ipsum\b|\bfoo(?:bar)?\b|\bN/A\b"
)

WORK = words(
    "api apis app backend backlog beta branch build bug ci client cluster codebase commit component config contract "
    "customer "
    "dashboard database db deadline demo deploy deployment deploys design docs endpoint feature frontend incident "
    "infra "
    "integration invoice issue kickoff launch logo meeting meetings microservice migration milestone monorepo mvp "
    "okr okrs on-call "
    "onboarding outage pipeline planning platform pr product prod production project prototype pull-request qa "
    "refactor "
    "release releases repo repository retro review roadmap rollout schema sdk server service services ship shipping "
    "sprint staging "
    "stakeholder standup standups stand-up stack sync team template tests testing ticket tickets ui ux vendor "
    "version workshop "
    "all-hands offsite budget kpi report quarter postgres mongodb redis kafka kubernetes docker terraform react vue "
    "angular django "
    "rails typescript javascript python rust java kotlin golang graphql grpc rest aws gcp azure slack jira linear "
    "figma notion "
    "github gitlab tabs spaces v1 v2 v3 ie support catalog"
)
DECISIONS = words("decide agree choose pick settle opt commit adopt switch standardize standardise go use drop migrate")
TECH_TROUBLE = deferred(
    r"(?i)\b(?:\w*(?:error|exception)s?|traceback|stack ?trace|segfault|compil\w+|line \d+|status code|40[0-9]"
    r"|50[0-3]|undefined|null ?pointer|crash(?:es|ed)?|"
    r"the (?:code|script|function|loop|query|file|files|tests?|output|command|build|log|logs|snippet|regex|document"
    r"|text|essay|image|wrong thing|prompt|solution|link|page)|"
    r"npm|pip|docker|your (?:api|solution|code|suggestion|answer|script|idea|plan|help)|option (?:one|two|three|1|2"
    r"|3|a|b)|your|(?:first|second|third|last|other) (?:one|option|version|answer|approach|file|paragraph|draft))\b"
)
TOOLS = {
    "editor": words(
        "neovim vim nvim emacs vscode vs-code sublime intellij pycharm webstorm atom helix zed nano notepad++ xcode "
        "rider "
        "cursor code eclipse goland clion phpstorm rubymine"
    ),
}
PLACES = words(
    "paris london berlin rome madrid tokyo oslo sydney canberra dublin lisbon vienna prague warsaw moscow athens "
    "amsterdam "
    "australia france germany spain italy japan china india canada brazil england scotland ireland portugal greece "
    "mexico america "
    "europe asia africa earth mars venus jupiter amazon google apple microsoft facebook netflix python java javascript "
    "rust go kotlin swift react vue angular linux windows macos android docker kubernetes postgres mysql chatgpt gpt "
    "claude "
    "git github english french german spanish italian japanese chinese water light christmas easter monday tuesday "
    "wednesday thursday friday saturday sunday slack jira"
)
PEOPLES = words(
    "hindu muslim sikh jain parsi jewish catholic protestant orthodox baha'i taoist quaker amish swiss dutch "
    "greek thai turk finn dane swede pole czech slovak serb croat arab iraqi pakistani bangladeshi israeli "
    "emirati saudi kuwaiti afghan uzbek kazakh kurd american mexican african german roman cuban moroccan korean "
    "kiwi aussie scot welsh basque filipino filipina latino latina inuit maori zulu xhosa yoruba igbo hausa tamil "
    "bengali punjabi gujarati kikuyu"
)
"""Faiths and peoples: "I'm Hindu" gives no name."""
CARS = words(
    "toyota honda ford chevrolet chevy subaru mazda nissan hyundai kia bmw audi mercedes volkswagen vw golf tesla "
    "volvo skoda "
    "škoda seat renault peugeot citroën citroen fiat jeep dodge ram lexus acura infiniti porsche ferrari lamborghini "
    "mini "
    "mitsubishi suzuki dacia opel vauxhall saab jaguar prius corolla camry civic accord outback forester mustang "
    "f-150 polo "
    "rivian lucid byd polestar cupra alfa land-rover rover yaris leaf car truck van pickup suv hatchback sedan"
)
PHONES = words("iphone pixel galaxy oneplus xiaomi nokia huawei fairphone motorola samsung oppo")
LANGUAGES = words(
    "english spanish french german italian portuguese dutch swedish norwegian danish finnish icelandic polish czech "
    "slovak "
    "hungarian romanian bulgarian greek turkish russian ukrainian serbian croatian bosnian slovenian albanian "
    "lithuanian latvian "
    "estonian arabic hebrew farsi persian urdu hindi bengali punjabi tamil telugu malayalam kannada marathi gujarati "
    "nepali "
    "sinhala thai vietnamese khmer lao burmese malay indonesian tagalog filipino mandarin cantonese chinese japanese "
    "korean "
    "mongolian swahili amharic somali yoruba igbo hausa zulu xhosa afrikaans akan twi wolof welsh irish gaelic scots "
    "basque "
    "catalan galician esperanto latin georgian armenian azerbaijani kazakh uzbek pashto kurdish creole quechua maori "
    "hawaiian "
    "asl bsl klingon"
)
