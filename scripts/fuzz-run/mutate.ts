import { MAX_CHARACTERS } from './target'

/** Numbers from 0 to below `end`, the same for the same seed (mulberry32). */
export type Below = (end: number) => number

export const createBelow = (seed: number): Below => {
  let state = seed >>> 0
  return (end) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * end)
  }
}

/** Texts that parsers stumble over. */
const ODD = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '"__proto__":{"isPolluted":true},',
  '\0',
  '\r\n',
  '\u2028',
  '\ud800',
  '\ufeff',
  '\ufffd',
  '-1',
  '0',
  '-0',
  '1e999',
  '9007199254740993',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '"',
  "'",
  '<',
  '>',
  '<![CDATA[',
  ']]>',
  '&amp;',
  '&#x110000;',
  '<!--',
  '..',
  '/',
  '\\',
  '|',
  '=',
  ':',
  ',',
  ';',
  '%',
  '%00',
  '  ',
  '\t',
  '0000:41:00.4',
  'ffff:ff:1f.7',
  '00000000-0000-4000-8000-000000000000',
  '2026-02-30T25:61:61Z',
  '&a *a',
  '!!binary x',
  '<<: *a',
]

const pick = <T>(list: readonly T[], below: Below): T | undefined => list[below(list.length)]

const splice = (text: string, at: number, removed: number, inserted: string): string =>
  text.slice(0, at) + inserted + text.slice(at + removed)

type Change = (text: string, other: string, below: Below) => string

const CHANGES: Change[] = [
  (text, _, below) => splice(text, below(text.length + 1), 0, pick(ODD, below) ?? ''),
  (text, _, below) => splice(text, below(text.length + 1), 1 + below(8), pick(ODD, below) ?? ''),
  (text, _, below) => splice(text, below(text.length + 1), 1, String.fromCharCode(below(128))),
  (text, _, below) => splice(text, below(text.length + 1), 0, String.fromCharCode(below(65_536))),
  (text, _, below) => splice(text, below(text.length + 1), 1 + below(1 << below(10)), ''),
  (text, _, below) => {
    const at = below(text.length + 1)
    const piece = text.slice(at, at + 1 + below(1 << below(8)))
    return splice(text, at, 0, piece.repeat(1 + below(1 << below(12))).slice(0, MAX_CHARACTERS))
  },
  (text, other, below) => {
    const at = below(other.length + 1)
    return splice(text, below(text.length + 1), below(64), other.slice(at, at + 1 + below(512)))
  },
  (text, other, below) => text.slice(0, below(text.length + 1)) + other.slice(below(other.length + 1)),
  // A number, a string or a key of JSON becomes something else as a whole.
  (text, _, below) => {
    const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g)]
    const token = pick(tokens, below)
    if (token === undefined) return text
    const odd = pick(ODD, below) ?? ''
    const value = token[0].startsWith('"') && below(2) === 0 ? JSON.stringify(odd) : odd
    return splice(text, token.index, token[0].length, value)
  },
  // Two lines or list entries change places, or one is repeated.
  (text, _, below) => {
    const cut = pick(['\n', ',', ' '], below) ?? '\n'
    const parts = text.split(cut)
    const [from, to] = [below(parts.length), below(parts.length)]
    return parts.toSpliced(to, below(2), parts[from] ?? '').join(cut)
  },
]

/** A text made of one, by one to eight changes; `other` gives pieces. */
export const mutate = ({ text, other, below }: { text: string; other: string; below: Below }): string => {
  let made = text
  for (let count = 1 << below(4); count > 0; count -= 1)
    made = pick(CHANGES, below)?.(made, other, below) ?? made
  return made.slice(0, MAX_CHARACTERS)
}
