"""Finds secrets that show themselves by their form: vendor prefixes, key blocks, headers, links with a password."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from wellkept.patterns import deferred, has_long_word
from wellkept.policies.secrets.shapes import Said, SecretSpan, is_placeholder, is_random


class Form(NamedTuple):
    """A class of tokens: one of ``stems`` must stand in the lower-case text before ``pattern`` is tried."""

    kind: str
    stems: tuple[str, ...]
    pattern: re.Pattern[str]


_W: Final = "[A-Za-z0-9_-]"
_A: Final = "[A-Za-z0-9]"
_H: Final = "[0-9a-fA-F]"
# Before a short prefix there must be no other word character.
_B: Final = "(?<![A-Za-z0-9_])"

_KEY_TITLE: Final = r"[A-Z0-9\s]{0,30}PRIVATE\s*KEY(?:\s*BLOCK)?\s*-{2,5}"
_COOKIE: Final = (
    r"(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|session_?(?:id|token)|csrf_?token|xsrf-token|connect\.sid"
    r"|\bsid|\bsession|_session)"
)

# kind | stems | pattern. Lengths are minima: what follows a key in a run of text must not hide it.
_VENDORS: Final = rf"""
aws_access_key | akia asia abia acca a3t | (?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{{16}}
aws_bedrock_key | absk | ABSK[A-Za-z0-9+/]{{100,}}
aws_mws_key | amzn.mws | amzn\.mws\.{_H}{{8}}-[0-9a-f-]{{20,}}
alibaba_key | ltai | LTAI{_A}{{16,}}
tencent_key | akid | AKID{_A}{{32,}}
gcp_key | aiza | AIza{_W}{{30,}}
gcp_oauth | gocspx- ya29. | GOCSPX-{_W}{{20,}}
gcp_oauth | gocspx- ya29. | ya29\.{_W}{{20,}}
azure_ad_secret | q~ | {_A}[A-Za-z0-9_~.]{{2}}\dQ~[A-Za-z0-9_~.-]{{31,}}
github_token | ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ | gh[pousr]_{_A}{{20,}}
github_token | ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ | github_pat_{_A}{{10,}}_?{_A}{{10,}}
gitlab_token | glpat- gldt- glrt- glcbt- glptt- | gl(?:pat|dt|rt|cbt|ptt)-{_W}{{16,}}
gitlab_token | glft- glsoat- glimt- glagent- gloas- | gl(?:ft|soat|imt|agent|oas)-{_W}{{16,}}
bitbucket_token | atbb atctt | AT(?:BB|CTT3)[A-Za-z0-9_=-]{{24,}}
atlassian_token | atatt | ATATT3[A-Za-z0-9_=-]{{50,}}
slack_token | xox xapp- | xox[a-z]-(?=[A-Za-z-]*\d)[A-Za-z0-9-]{{10,}}
slack_token | xox xapp- | xapp-\d-[A-Za-z0-9-]{{20,}}
slack_webhook | hooks.slack.com | hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{{20,}}
discord_webhook | discord | discord(?:app)?\.com/api/webhooks/\d{{10,}}/{_W}{{20,}}
teams_webhook | webhook.office.com | webhook\.office\.com/webhookb2/[\w@/-]{{40,}}
zapier_webhook | hooks.zapier.com | hooks\.zapier\.com/hooks/catch/[\w/]{{8,}}
discord_token | . | (?<![A-Za-z0-9_.-])[MNO]{_A}{{22,27}}\.{_W}{{6}}\.{_W}{{27,}}
discord_token | . | mfa\.{_W}{{60,}}
telegram_token | :a | \d{{8,10}}:A{_W}{{33,}}
npm_token | npm_ | npm_{_A}{{30,}}
pypi_token | pypi-ag | pypi-Ag{_W}{{40,}}
rubygems_token | rubygems_ | rubygems_{_H}{{40,}}
crates_token | cio | {_B}cio{_A}{{32}}(?!{_A})
nuget_key | oy2 | {_B}oy2[a-z0-9]{{43}}(?!{_A})
artifactory_key | akcp cmvmd | {_B}AKCp{_A}{{60,}}
artifactory_key | akcp cmvmd | {_B}cmVmd{_A}{{59}}
docker_token | dckr_ | dckr_(?:pat|oat)_{_W}{{20,}}
huggingface_token | hf_ api_org_ | {_B}hf_{_A}{{20,}}
huggingface_token | hf_ api_org_ | api_org_{_A}{{30,}}
openai_key | sk- sess- | (?<![A-Za-z])sk-(?=[A-Za-z_-]{{0,60}}\d)(?:proj-|svcacct-|admin-|None-)?{_W}{{20,}}
openai_key | sk- sess- | sess-{_A}{{36,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | {_B}gsk_{_A}{{40,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | {_B}r8_{_A}{{30,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | pplx-{_A}{{30,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | {_B}xai-{_A}{{40,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | lsv2_(?:pt|sk)_{_H}{{20,}}_?{_H}*
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | pcsk_{_W}{{40,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | {_B}fw_{_A}{{22,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | nvapi-{_W}{{40,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | tgp_v1_{_W}{{40,}}
model_vendor_key | gsk_ r8_ pplx- xai- lsv2_ pcsk_ fw_ nvapi- tgp_v1_ csk- | {_B}csk-{_A}{{40,}}
stripe_key | sk_ rk_ pk_ whsec_ | [srp]k_(?:live|test|prod)_{_A}{{10,}}
stripe_key | sk_ rk_ pk_ whsec_ | whsec_[A-Za-z0-9+/]{{20,}}
square_token | sq0 eaaa | sq0[a-z]{{3}}-{_W}{{20,}}
square_token | sq0 eaaa | {_B}EAAA{_W}{{50,}}
paypal_token | access_token$ | access_token\$(?:production|sandbox)\$[a-z0-9]{{10,}}\${_H}{{20,}}
shopify_token | shpat_ shpca_ shppa_ shpss_ shptka_ shpua_ | shp(?:at|ca|pa|ss|tka|ua)_{_H}{{20,}}
razorpay_key | rzp_ | rzp_(?:live|test)_{_A}{{10,}}
flutterwave_key | flwsec | FLWSECK(?:_TEST)?-{_H}{{12,}}
easypost_key | ezak eztk | EZ[AT]K{_A}{{54,}}
shippo_key | shippo_ | shippo_(?:live|test)_{_H}{{30,}}
twilio_key | sk ac | {_B}SK{_H}{{32}}(?!{_H})
sendgrid_key | sg. | SG\.{_W}{{16,}}\.{_W}{{16,}}
mailgun_key | key- pubkey- | (?<![A-Za-z0-9])(?:pub)?key-{_H}{{32}}
mailchimp_key | -us | {_H}{{32}}-us\d{{1,2}}(?!\d)
brevo_key | xkeysib- xsmtpsib- | x(?:key|smtp)sib-{_H}{{40,}}
digitalocean_token | dop_v1_ doo_v1_ dor_v1_ | do[opr]_v1_{_H}{{40,}}
heroku_key | hrku- | HRKU-{_W}{{30,}}
vault_token | hvs. hvb. hvr. | hv[sbr]\.{_W}{{20,}}
terraform_token | .atlasv1. | {_A}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{40,}}
databricks_token | dapi dkea | {_B}d(?:api|kea){_H}{{32}}
tailscale_key | tskey- | tskey-[a-z]+-{_A}+-?{_A}*
grafana_token | glsa_ glc_ eyjrijoi | glsa_{_A}{{20,}}_?{_H}*
grafana_token | glsa_ glc_ eyjrijoi | {_B}glc_[A-Za-z0-9+/=]{{32,}}
grafana_token | glsa_ glc_ eyjrijoi | eyJrIjoi[A-Za-z0-9+/=]{{40,}}
pulumi_token | pul- | {_B}pul-{_H}{{40}}
supabase_key | sbp_ sb_secret_ | sbp_{_H}{{40}}
supabase_key | sbp_ sb_secret_ | sb_secret_{_W}{{20,}}
planetscale_token | pscale_ | pscale_(?:tkn|pw|oauth)_[\w=.-]{{30,}}
doppler_token | dp. | {_B}dp\.(?:pt|st|sa|ct|scim|audit)\.[\w.-]{{30,}}
sentry_token | sntry | sntry[su]_[A-Za-z0-9+/=_-]{{30,}}
fly_token | fm1 fm2_ fo1_ flyv1 | (?:fm[12][ar]?_|fo1_)[A-Za-z0-9+/=,_-]{{40,}}
netlify_token | nfp_ nfc_ | {_B}nf[cpoub]_{_A}{{36,}}
render_key | rnd_ | {_B}rnd_{_A}{{28,}}
cloudflare_key | v1.0- | v1\.0-{_H}{{24}}-{_H}{{100,}}
openshift_token | sha256~ | sha256~{_W}{{40,}}
linear_key | lin_ | lin_(?:api|oauth)_{_A}{{32,}}
notion_token | secret_ ntn_ | {_B}secret_{_A}{{40,}}
notion_token | secret_ ntn_ | {_B}ntn_{_A}{{40,}}
figma_token | figd_ figoh_ | fig(?:d|oh|or|u|orh)_{_W}{{20,}}
airtable_token | pat | {_B}pat{_A}{{14}}\.{_H}{{60,}}
postman_key | pmak- | PMAK-{_H}{{24}}-{_H}{{30,}}
newrelic_key | nrak- nrjs- nrii- nral | NR(?:AK|JS|II|AL|RA|IQ)-[A-Za-z0-9_-]{{19,}}
newrelic_key | nrak- nrjs- nrii- nral | {_H}{{36}}NRAL
dropbox_token | sl. | {_B}sl\.(?:u\.)?{_W}{{100,}}
hubspot_token | pat-na pat-eu | pat-(?:na|eu)\d-{_H}{{8}}(?:-{_H}{{4}}){{3}}-{_H}{{12}}
contentful_token | cfpat- | CFPAT-{_W}{{40,}}
typeform_token | tfp_ | {_B}tfp_[\w.-]{{40,}}
readme_key | rdme_ | rdme_[a-z0-9]{{60,}}
buildkite_token | bkua_ | bkua_{_H}{{40}}
circleci_token | ccipat_ cciprj_ | CCI(?:PAT|PRJ)_{_A}{{20,}}_{_H}{{40}}
sonar_token | sqp_ squ_ sqa_ | {_B}sq[pua]_{_H}{{40}}
sourcegraph_token | sgp_ | sgp_(?:{_A}{{16}}_)?{_H}{{40}}
prefect_key | pnu_ | {_B}pnu_{_A}{{36}}
frameio_token | fio-u- | fio-u-{_W}{{60,}}
duffel_token | duffel_ | duffel_(?:live|test)_{_W}{{40,}}
facebook_token | eaa | {_B}EAA[MC]{_A}{{80,}}
twitter_token | aaaaaaaa | A{{20,}}[A-Za-z0-9%]{{40,}}
yandex_key | aqvn y0_ t1. | {_B}AQVN{_W}{{35,}}
yandex_key | aqvn y0_ t1. | {_B}y0_{_W}{{50,}}
mapbox_secret | sk.ey | sk\.eyJ[\w-]{{20,}}\.[\w-]{{16,}}
onepassword_key | a3- ops_ey | {_B}A3(?:-[A-Z0-9]{{5,6}}){{5,6}}
onepassword_key | a3- ops_ey | ops_eyJ[A-Za-z0-9+/]{{100,}}
age_key | age-secret-key | AGE-SECRET-KEY-1[A-Z0-9]{{50,}}
adobe_secret | p8e- | {_B}p8e-[a-z0-9]{{32}}
clojars_token | clojars_ | CLOJARS_[a-z0-9]{{60}}
wallet_key | xprv yprv zprv tprv | {_B}[xyzt]prv{_A}{{80,}}
wallet_key | | (?<![A-Za-z0-9])(?:5[HJK][1-9A-HJ-NP-Za-km-z]{{49}}|[KL][1-9A-HJ-NP-Za-km-z]{{51}})(?![A-Za-z0-9])
"""

# The same for forms that belong to no vendor; "value" is the secret part where the rest may stay.
_GENERAL: Final = rf"""
private_key | private | -{{2,5}}\s*BEGIN{_KEY_TITLE}(?s:.*?)(?:-{{2,5}}\s*END{_KEY_TITLE}|\Z)
private_key | putty | PuTTY-User-Key-File(?s:.*)
jwt | eyj | eyJ[\w-]{{8,1000}}\s?\.\s?[\w-]{{8,}}(?:\s?\.\s?[\w-]*)?
url_credentials | :// | ://[^\s/:@]{{0,80}}:(?P<value>[^\s/@]{{1,200}})@[^\s@]
url_credentials | :// | ://(?P<alone>{_W}{{20,}})@
url_credentials | @ | (?<![\w/:.@-])[\w.-]{{2,30}}:(?P<value>(?=[^\s@]*\d)[^\s@/:]{{4,60}})@[A-Za-z][\w.-]+
url_credentials | @tcp @unix | {_W}+:(?P<value>[^\s@]{{3,80}})@(?:tcp|unix)\(
connection_string | accountkey sharedaccesskey | (?:Account|SharedAccess)Key\s*=\s*(?P<value>[A-Za-z0-9+/=]{{20,}})
signed_url | sig | (?i:[?&](?:sig|signature|x-amz-signature|x-goog-signature)=(?P<value>[A-Za-z0-9%+/=_-]{{20,}}))
totp_secret | otpauth:// | otpauth://\S+
wifi_key | wifi: | (?i:WIFI:)\S{{0,120}}?P:(?P<value>[^;\s]+);
password_hash | $2 | \$2[abxy]?\$\d\d\$[./A-Za-z0-9]{{40,}}
password_hash | $ | \$(?:1|5|6|7|y|gy|apr1|sha1|argon2\w*|pbkdf2[\w-]*|scrypt)\$[^\s:]{{20,}}
password_hash | $ | pbkdf2_sha\d+\$\d+\$\S{{20,}}
license_key | - | (?<![A-Za-z0-9-])(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]{{5}}(?:-[A-Z0-9]{{5}}){{3,5}}(?![A-Za-z0-9-])
session_cookie | sess sid cookie csrf xsrf | (?i:{_COOKIE}\s*=\s*["']?(?P<value>(?=[a-z_%+/=.:-]*\d)[\w%+/=.:-]{{12,}}))
session_cookie | sess sid cookie csrf xsrf | (?i:cookie:\s*[\w.-]+=(?P<alone>[^\s;]{{8,}}))
bearer_token | bearer | (?i:bearer\s*(?:token)?)\s*[:=]?\s*["']?(?P<value>(?=[A-Za-z._~+/=-]*\d)[\w.~+/=-]{{16,}})
"""


def _forms(table: str) -> tuple[Form, ...]:
    rows = ([part.strip() for part in line.split(" |", 2)] for line in table.strip().splitlines())
    return tuple(Form(kind, tuple(stems.split()), deferred(pattern)) for kind, stems, pattern in rows)


_FORMS: Final = _forms(_VENDORS) + _forms(_GENERAL)
_FORMS_OF: Final[dict[str, list[Form]]] = {}
for _form in _FORMS:
    for _stem in _form.stems:
        _FORMS_OF.setdefault(_stem, []).append(_form)
_FORMS_WITHOUT_STEM: Final = tuple(form for form in _FORMS if not form.stems)
_LONG_TOKEN: Final = deferred(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_BASIC: Final = deferred(r"basic\s+([a-z0-9+/]{8,}={0,2})")
# A public key, a checksum or a link may look random and tells no secret.
_PUBLIC_BEFORE: Final = deferred(r"(?:ssh-[a-z0-9]+\s|sha\d{3}-|ecdsa-\S+\s|://\S*|data:\S*|[?&][\w-]+=)$")
# Checksums, and wallet addresses, which are made to be given away.
_PUBLIC: Final = deferred(r"sha\d{3}-|[13][1-9A-HJ-NP-Za-km-z]{25,34}$|bc1[a-z0-9]{25,}$")
_PUBLIC_READ: Final = 200
# Every form has this many characters in one piece; most sentences have no such word.
_LONG_PIECE: Final = 12
_PRIVATE_KEY: Final = deferred(r"private\s*key")


def token_spans(said: Said) -> Iterator[SecretSpan]:
    """Every token that is a secret by its form alone."""
    is_key = "private" in said.low and _PRIVATE_KEY.search(said.low) is not None
    if not is_key and not has_long_word(said.low, _LONG_PIECE):
        return
    forms = dict.fromkeys(form for stem, forms in _FORMS_OF.items() if stem in said.low for form in forms)
    for form in (*forms, *_FORMS_WITHOUT_STEM):
        yield from _matches(form, said.text)
    if "basic" in said.low:
        yield from _basic_credentials(said)
    for token in _LONG_TOKEN.finditer(said.text):
        start = max(0, token.start() - _PUBLIC_READ)
        is_public = _PUBLIC.match(token.group()) or _PUBLIC_BEFORE.search(said.text, start, token.start())
        if is_random(token.group()) and not is_public:
            yield SecretSpan(start=token.start(), end=token.end(), kind="high_entropy")


def _matches(form: Form, text: str) -> Iterator[SecretSpan]:
    for match in form.pattern.finditer(text):
        groups = [name for name, value in match.groupdict().items() if value is not None]
        group = groups[0] if groups else 0
        if not is_placeholder(match.group(group)):
            yield SecretSpan(start=match.start(group), end=match.end(group), kind=form.kind)


def _basic_credentials(said: Said) -> Iterator[SecretSpan]:
    for match in _BASIC.finditer(said.low):
        try:
            decoded = base64.b64decode(said.text[match.start(1) : match.end(1)], validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if ":" in decoded and decoded.isprintable():
            yield SecretSpan(start=match.start(1), end=match.end(1), kind="basic_auth")
