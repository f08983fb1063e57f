import type { Edit } from '@/lib/schemas/agent/difference'

/** How far ahead in the base a piece is looked for: entries that have gone from a list stand close together. */
const LOOK_AHEAD = 64

/** Ends of objects in a list: entries of an inventory come out as a piece each, or as a few. */
const PIECES = /(?<=\},)/

/** A surrogate pair is one character in UTF-8 and must not be cut in two. */
const isInsidePair = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}

const commonStart = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return isInsidePair(a, length) || isInsidePair(b, length) ? length - 1 : length
}

const commonEnd = (a: string, b: string, most: number): number => {
  let length = 0
  while (length < most && a.charCodeAt(a.length - length - 1) === b.charCodeAt(b.length - length - 1))
    length += 1
  return isInsidePair(a, a.length - length) || isInsidePair(b, b.length - length) ? length - 1 : length
}

/** The edit of a stretch that begins at the given byte; null when both sides are the same. */
const editOf = (start: number, removed: string, inserted: string): Edit | null => {
  if (removed === inserted) return null
  const same = Math.max(0, commonStart(removed, inserted))
  const end = Math.max(0, commonEnd(removed, inserted, Math.min(removed.length, inserted.length) - same))
  return [
    start + Buffer.byteLength(removed.slice(0, same)),
    Buffer.byteLength(removed.slice(same, removed.length - end)),
    inserted.slice(same, inserted.length - end),
  ]
}

/**
 * The edits that make `next` out of `base`, in bytes of UTF-8. Good for canonical JSON of which some list entries changed;
 * for other texts it is right, but long.
 */
export const diffText = (base: string, next: string): Edit[] => {
  const before = base.split(PIECES)
  const edits: Edit[] = []
  let place = 0
  let bytes = 0
  let removed = ''
  let inserted = ''

  const closeStretch = () => {
    const edit = editOf(bytes, removed, inserted)
    if (edit !== null) edits.push(edit)
    bytes += Buffer.byteLength(removed)
    removed = ''
    inserted = ''
  }

  for (const piece of next.split(PIECES)) {
    const found = before.indexOf(piece, place)
    if (found < 0 || found > place + LOOK_AHEAD) {
      inserted += piece
      continue
    }
    removed += before.slice(place, found).join('')
    closeStretch()
    bytes += Buffer.byteLength(piece)
    place = found + 1
  }
  removed += before.slice(place).join('')
  closeStretch()
  return edits
}
