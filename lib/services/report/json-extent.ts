const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d

const endOfString = (json: Uint8Array, start: number): number => {
  for (let at = start + 1; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) return at + 1
  }
  return -1
}

/**
 * Where the JSON value that begins at `start` ends, or -1. It only looks for the end: whether the bytes up to there are a
 * value, JSON.parse says.
 */
export const endOfValue = (json: Uint8Array, start: number): number => {
  let depth = 0
  for (let at = start; at < json.length; at += 1) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) {
      at = endOfString(json, at) - 1
      if (at < 0) return -1
      if (depth === 0) return at + 1
    } else if (isOpening(byte)) depth += 1
    else if (isClosing(byte)) {
      if (depth === 0) return at
      depth -= 1
      if (depth === 0) return at + 1
    } else if (byte === COMMA && depth === 0) return at
  }
  return -1
}
