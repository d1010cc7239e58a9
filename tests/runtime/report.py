# report.py - a page of ndprun --report, read as a browser does.
#
#   report.py FILE.html RUNS [REPORT.json]
#
# Tags close in order, nothing comes from outside, there are so many runs, shares of
# cycles add up, pictures are whole; counters of the first run are those of the JSON
# that ndprun printed of it.  Prints what is wrong; exit status 1 if anything is.
import base64
import html.parser
import json
import re
import sys
import xml.dom.minidom

text = open(sys.argv[1], encoding="utf-8").read()
wrong = []
VOID = {"meta", "img", "br"}
OPTIONAL = {"td", "th"}  # HTML closes them by itself


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.runs, self.images = [], 0, []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        for name in ("src", "href", "xlink:href", "action", "data"):
            if name in a and not a[name].startswith("data:"):
                wrong.append("%s=%s comes from outside" % (name, a[name][:40]))
        if tag in ("script", "link", "iframe", "object"):
            wrong.append("a page without <%s> was expected" % tag)
        self.runs += tag == "article"
        if tag == "img":
            self.images.append(a["src"])
        if tag not in VOID | OPTIONAL:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag in OPTIONAL:
            return
        if not self.open or self.open.pop() != tag:
            wrong.append("</%s> closes what was not open" % tag)


page = Page()
page.feed(text)
if page.open:
    wrong.append("not closed: %s" % page.open)
if page.runs != int(sys.argv[2]):
    wrong.append("%d runs" % page.runs)
if re.search(r"url\(|@import|https?://", re.sub(r'"data:[^"]*"', '""', text)):
    wrong.append("something comes from outside")
for bar in re.findall(r'<div class="bar">(.*?)</div>', text):
    shares = [float(s) for s in re.findall(r"width:([\d.]+)%", bar)]
    if len(shares) != 4 or abs(sum(shares) - 100) > 0.1:
        wrong.append("shares of cycles are %s" % shares)
for image in page.images:
    xml.dom.minidom.parseString(base64.b64decode(image.split("base64,")[1], validate=True))
if len(sys.argv) > 3:
    result = json.load(open(sys.argv[3]))["results"][0]
    first = text.split("<article>")[1]
    shown = dict(re.findall(r"<tr><th>(\w+)<td>(\d+)</tr>", first))
    for kind in ("counters", "unit", "traffic"):
        for name, value in result.get(kind, {}).items():
            if shown.get(name) != str(value):
                wrong.append("%s is %s, expected %d" % (name, shown.get(name), value))
    if '<p class="verdict right">%s</p>' % result["verdict"] not in first:
        wrong.append("no verdict '%s'" % result["verdict"])
    if "traffic" in result:
        links = [int(n) for n in re.findall(r"<title>(\d+) flits</title>", first)]
        if sum(links) != result["traffic"]["flit_hops"] or not links:
            wrong.append("%d flits over links, expected %d" % (
                sum(links), result["traffic"]["flit_hops"]))
for w in wrong[:10]:
    print(w)
sys.exit(1 if wrong else 0)
