# links.py - whether every link of a folder of HTML leads to a file and an anchor in it.
#
#   links.py FOLDER
#
# Prints each that does not, and a count; exit status 1 if there is one.  A page may
# load nothing from another host.
import html.parser
import os
import sys
import urllib.parse

top = os.path.abspath(sys.argv[1])
anchors, links, bad = {}, [], []


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.ids = path, set()

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.update(v for k, v in a.items() if k in ("id", "name") and v)
        for key in ("href", "src"):
            if a.get(key):
                links.append((self.path, tag, a[key], a.get("rel", "")))


for folder, _, files in os.walk(top):
    for name in files:
        if name.endswith(".html"):
            path = os.path.join(folder, name)
            page = Page(path)
            page.feed(open(path, encoding="utf-8").read())
            anchors[path] = page.ids
for path, tag, to, rel in links:
    url = urllib.parse.urlsplit(to)
    if url.scheme or url.netloc:
        if tag != "a" and url.scheme != "data":
            bad.append((path, to, "is loaded from another host"))
        continue
    if path.endswith("404.html"):
        continue  # it stands at any address
    goal = path
    if url.path:
        goal = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path)))
        if os.path.isdir(goal):
            goal = os.path.join(goal, "index.html")
    if not os.path.exists(goal):
        bad.append((path, to, "leads to no file"))
    elif url.fragment and goal in anchors and \
            urllib.parse.unquote(url.fragment) not in anchors[goal] and url.fragment != "__skip":
        bad.append((path, to, "leads to no heading"))
for path, to, why in sorted(set(bad)):
    print("%s: link '%s' %s" % (os.path.relpath(path, top), to, why))
print("%d pages, %d links, %d bad" % (len(anchors), len(links), len(set(bad))))
sys.exit(1 if bad or not anchors else 0)
