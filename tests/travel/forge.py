"""Images with one number changed, and with the checksum that belongs to it (travel/image.h has their form)."""

import struct

ARENA, MASK = 0x200000000000, (1 << 64) - 1


class Image:
    """An image of either byte order."""

    def __init__(self, data):
        self.data = data
        self.order = "<" if data[8] else ">"                # the version, a small number
        self.parts = []                                     # tag, offset of the contents, bytes
        at = 32
        while at < len(data):
            tag, size = self.word(at), self.word(at + 8)
            self.parts.append((tag.to_bytes(4, "little").decode(), at + 16, size))
            at = (at + 16 + size + 7) & ~7

    def word(self, offset):
        return struct.unpack_from(self.order + "Q", self.data, offset)[0]

    def part(self, tag):
        """The contents of the first one of that kind."""
        return next(body for name, body, _ in self.parts if name == tag)

    def has(self, tag):
        return any(name == tag and size for name, _, size in self.parts)

    def heap(self, address):
        """Where the file has that word of the heap."""
        for tag, body, size in self.parts:
            if tag == "PAGE" and 0 <= address - self.word(body) < size - 8:
                return body + 8 + address - self.word(body)
        raise LookupError(hex(address))

    def changed(self, offset, value, form="Q"):
        data, total = bytearray(self.data), 0
        struct.pack_into(self.order + form, data, offset, value)
        for (one,) in struct.iter_unpack(self.order + "Q", data[32:]):
            total = ((total ^ one) * 0x9E3779B97F4A7C15) & MASK
            total ^= total >> 29
        struct.pack_into(self.order + "Q", data, 24, total)
        return bytes(data)


def waiting(image):
    """A link whose result is delivered, if there is one, becomes one whose result waits, and its parent counts it. The
    list of those does not have it."""
    links = image.part("LINK")
    size = next(size for _, body, size in image.parts if body == links)
    for at in range(links, links + size, 16):
        link = image.heap(image.word(at))
        if image.data[link + 68] == 2:                      # stage, then joined
            join = image.heap(image.word(link) + 36)
            (out,) = struct.unpack_from(image.order + "I", image.data, join)
            for offset, value, form in ((link + 68, 1, "B"), (link + 69, 0, "B"), (join, out + 1, "I")):
                image = Image(image.changed(offset, value, form))
            return image.data
    return None


def forgeries(image):
    """What is wrong: the image, and what is reported. Each is one offset, length, name, count or pointer."""
    program, symbols, procedures = image.part("PROG"), image.part("SYMS"), image.part("SIGS")
    closures, links, pages, layouts = (image.part(tag) for tag in ("CLOS", "LINK", "PAGE", "LAYS"))
    closure, link = image.word(closures), image.word(links)
    far, inside = ARENA + (1 << 46), ARENA + 8192
    return {
        "count of symbols": (image.changed(symbols, 1 << 60), "a table is longer than its part"),
        "count of procedures": (image.changed(procedures, MASK), "a table is longer than its part"),
        "length of a part": (image.changed(symbols - 8, 1 << 62), "a part is cut off"),
        "tag of a part": (image.changed(links - 16, 1 << 62), "a part that this program does not know"),
        "tag of the program": (image.changed(program - 16, image.word(layouts - 16)), "of which program it is"),
        "name of a symbol": (image.changed(symbols + 24, 1 << 40), "a name of the program is outside of the file"),
        "name of a procedure": (image.changed(procedures + 16, 1 << 40), "a procedure has no name"),
        "size of a procedure": (image.changed(procedures + 32, 8), "no closure has its size"),
        "entries of a procedure": (image.changed(procedures + 40, 1 << 33), "the procedure .* has changed"),
        "processor": (image.changed(program + 16, MASK), "the name of its processor"),
        "layout of the runtime": (image.changed(program + 24, 1), "another version or build of cilkc's runtime"),
        "size of the heap": (image.changed(program + 64, 1 << 50), "not enough addresses"),
        "another size of the heap": (
            image.changed(program + 64, image.word(program + 64) + 4096),
            "the heap's first page is damaged",
        ),
        "free pieces": (image.changed(program + 80, closure), "a free piece is"),
        "free pieces far away": (image.changed(program + 88, far), "a free piece is"),
        "arguments": (image.changed(program + 240, inside + 16), "the arguments are damaged"),
        "number of arguments": (image.changed(program + 232, 77), "the arguments are damaged"),
        "workers": (image.changed(program + 256, 1 << 40), "Cilk_active_size"),
        "address of pages": (image.changed(pages, far), "pages are outside of the heap"),
        "end of pages": (image.changed(pages, ARENA + image.word(program + 64) - 8), "pages are outside of the heap"),
        "address of a closure": (image.changed(closures, far), "a closure is outside of the heap"),
        "procedure of a closure": (image.changed(closures + 8, 1 << 33), "a closure is outside of the heap"),
        "address of a link": (image.changed(links, far), "a link is outside of the heap"),
        "entry of a link": (image.changed(links + 8, 1 << 33), "a link has no such entry"),
        "a link that is a closure": (image.changed(links, closure), "overlap|a link is outside of the heap"),
        "entry of a closure": (image.changed(image.heap(closure + 8), 0xFFFF, "I"), "a closure has no such entry"),
        "state of a closure": (image.changed(image.heap(closure + 12), 3, "I"), "a closure is in use"),
        "memory of a closure": (image.changed(image.heap(closure + 16), inside), "memory of a closure is damaged"),
        "children": (image.changed(image.heap(closure + 48), inside), "a closure's children are damaged"),
        "number of children": (image.changed(image.heap(closure + 36), 77, "I"), "waits for another number"),
        "results that wait": (image.changed(image.heap(closure + 56), closure), "a result that waits"),
        "parent of a link": (image.changed(image.heap(link), inside), "children are damaged|a link has no parent"),
        "next link": (image.changed(image.heap(link + 40), link), "children are damaged"),
        "bytes of a link": (image.changed(image.heap(link + 60), 1 << 31, "I"), "a link"),
        "result of a link": (image.changed(image.heap(link + 64), 1 << 31, "I"), "a link has another size"),
        "child of a link": (image.changed(image.heap(link + 32), link), "a link and its closure|not known by its link"),
        "free blocks": (image.changed(image.heap(ARENA + 32), ARENA + 4096 + 16), "a list of the heap's free blocks"),
        "kind of a block": (image.changed(image.heap(ARENA + 4096), 1000, "I"), "a block of the heap is damaged"),
    }
