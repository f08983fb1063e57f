import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { type Difference, differenceSchema } from '@/lib/schemas/agent/difference'
import { parseDifference } from './parse-difference'

const digest = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123-_8'
const head = {
  contractVersion: 1,
  agentVersion: '0.1.0',
  position: { boot: 1, sequence: 2 },
  takenAt: '2026-01-01T00:00:00.000Z',
  digest,
  droppedReports: 0,
  base: digest,
}
const edits = [
  [3, 0, '{"name":"ä🚀\\","edits":[[0,0,\\"\\"]]}'],
  [40, 12, ''],
]
const usual = JSON.stringify({ ...head, edits })
const { base, ...rest } = head
const open = JSON.stringify(head).slice(0, -1)

const parseAsSchema = (json: Buffer): Difference | null => {
  try {
    return differenceSchema.safeParse(JSON.parse(json.toString())).data ?? null
  } catch {
    return null
  }
}

const read = (json: Buffer): Difference | null => {
  let read: ReturnType<typeof parseDifference>
  try {
    read = parseDifference(json)
  } catch {
    return null
  }
  // What is stored is what was read.
  expect(JSON.parse(read.editsJson.toString())).toEqual(read.edits)
  return { ...read.head, edits: [...read.edits] }
}

const expectSame = (json: Buffer) => {
  const [found, expected] = [read(json), parseAsSchema(json)]
  if (!isDeepStrictEqual(found, expected)) expect({ json: json.toString(), found }).toEqual({ expected })
}

test('the edits are stored as the agent wrote them', () => {
  const { editsJson } = parseDifference(Buffer.from(usual))
  expect(editsJson.toString()).toBe(JSON.stringify(edits))
})

test.each([
  ['usual', usual, true],
  ['no edits', JSON.stringify({ ...head, edits: [] }), true],
  ['edits first', JSON.stringify({ edits, ...head }), true],
  ['edits before the base', JSON.stringify({ ...rest, edits, base }), true],
  ['spaces', JSON.stringify({ ...head, edits }, null, 1), true],
  ['spaces around', ` ${usual}\n`, true],
  ['spaces inside the edits', `${open},"edits": [ [1, 2, "x"] ] }`, true],
  ['a key with an escape', usual.replace('"edits"', '"\\u0065dits"'), true],
  ['edits twice', `${open},"edits":[[1,2,"x"]],"edits":[]}`, true],
  ['edits twice, wrong first', `${open},"edits":"x","edits":[]}`, true],
  ['edits twice, wrong last', `${open},"edits":[],"edits":"x"}`, false],
  ['edits in a text', JSON.stringify({ ...head, agentVersion: 'a,"edits":[]}', edits }), true],
  ['edits in a text at the end', JSON.stringify({ edits, ...head, agentVersion: ',"edits":[]' }), true],
  [
    'edits in the position that another one replaces',
    `{"position":{"boot":1,"edits":[]},${usual.slice(1)}`,
    true,
  ],
  ['the base replaced after the edits', `${open},"edits":[],"base":"${'x'.repeat(43)}"}`, true],
  ['an end in the edits', `${open},"edits":[]},"edits":[]}`, false],
  ['nothing but edits', '{,"edits":[]}', false],
  ['a comma too many', `${open},,"edits":[]}`, false],
  ['no base', JSON.stringify({ ...rest, edits }), false],
  ['an unknown member', JSON.stringify({ ...head, more: 1, edits }), false],
  ['an unknown member behind', JSON.stringify({ ...head, edits, more: 1 }), false],
  ['a prototype', `{"__proto__":{},${usual.slice(1)}`, false],
  ['another version', JSON.stringify({ ...head, contractVersion: 2, edits }), false],
  ['this revision', JSON.stringify({ ...head, contractRevision: 1, edits }), true],
  ['a newer revision', JSON.stringify({ ...head, contractRevision: 2, edits }), true],
  ['a negative place', JSON.stringify({ ...head, edits: [[-1, 0, '']] }), false],
  ['half a place', JSON.stringify({ ...head, edits: [[0.5, 0, '']] }), false],
  ['an edit of two', JSON.stringify({ ...head, edits: [[0, 0]] }), false],
  ['an edit of four', JSON.stringify({ ...head, edits: [[0, 0, '', '']] }), false],
  [
    'too many edits',
    JSON.stringify({ ...head, edits: Array.from({ length: 257 }, () => [0, 0, '']) }),
    false,
  ],
  ['a list', `[${usual}]`, false],
  ['empty', '', false],
])('%s', (_name, text, isTaken) => {
  const json = Buffer.from(text)
  expect(parseAsSchema(json) !== null).toBe(isTaken)
  expectSame(json)
})

test('whatever stands in one of its bytes, it reads what the schema reads', () => {
  for (let at = 0; at < usual.length; at += 1)
    for (const byte of Buffer.from('",:{}[]\\0 e\u0001')) {
      const json = Buffer.from(usual)
      json[at] = byte
      expectSame(json)
    }
  const broken = Buffer.from(usual)
  broken[broken.indexOf('name')] = 0xff
  expectSame(broken)
})
