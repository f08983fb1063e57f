import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { AgentActor, GroupMember, Outcome, ReportMember } from './group-member'
import type { HostRows } from './host-rows'
import { createReportReader } from './report-reader'
import { createReportTaker } from './take-reports'
import { reportText } from './testing/sent-report'

const NO_ROWS = {} as HostRows
const NEWEST: Outcome = { kind: 'applied', newest: { boot: 1, sequence: 1 } }
const arrival = { receivedAt: new Date('2026-01-01T00:00:01Z'), sentAt: null, watchedMs: null }

const actorOf = (hostName: string): AgentActor => ({
  kind: 'agent',
  credentialId: 1,
  cloudId: 1,
  hostId: hostName.charCodeAt(0),
  hostName,
  enrolment: 1,
})

const jsonOf = (name: string): Buffer => {
  const seed = t4SeedHost()
  const inventory = { ...seed, host: { ...seed.host, name } }
  return Buffer.from(reportText(inventory))
}

/** A taker that says what it does in which order; `rowsOf` says when a host's rows are there. */
const opened = ({
  rowsOf = () => NO_ROWS,
  commit = () => undefined,
}: {
  rowsOf?: (host: string) => HostRows | Promise<HostRows>
  commit?: (member: GroupMember) => void
} = {}) => {
  const said: string[] = []
  const members: ReportMember[] = []
  const reader = createReportReader()
  const take = createReportTaker({
    reader: {
      ...reader,
      read: (hostId, json) => {
        said.push(`read ${String.fromCharCode(hostId)}`)
        return reader.read(hostId, json)
      },
    },
    buildRows: (({ report }: { report: { inventory: { host: { name: string } } } }) =>
      rowsOf(report.inventory.host.name)) as never,
    commit: (member, { resolve }) => {
      commit(member)
      said.push(`queue ${member.actor.hostName}`)
      if (member.kind === 'report') members.push(member)
      resolve(NEWEST)
    },
  })
  /** With bytes of its own, as of a body. */
  const come = (host: string, json = jsonOf(host), gzipped: Buffer | null = Buffer.from('gzip')) =>
    take({ actor: actorOf(host), bytes: { json, gzipped, isDifference: false }, arrival })
  return { said, members, come }
}

describe('reports that came at once', () => {
  test('are all read before any is described, and are queued in their order', async () => {
    const { said, come } = opened()
    expect(await Promise.all(['a', 'b', 'c'].map((host) => come(host)))).toEqual([NEWEST, NEWEST, NEWEST])
    expect(said).toEqual(['read a', 'read b', 'read c', 'queue a', 'queue b', 'queue c'])
  })

  test('are refused each by itself, and the bytes of the refused are given back', async () => {
    const { said, come } = opened()
    const broken = Buffer.alloc(100_000, ' ')
    const [a, b, c] = await Promise.allSettled([come('a'), come('b', broken), come('c')])
    expect([a?.status, b?.status, c?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(b).toMatchObject({ reason: { code: 'broken_json' } })
    expect(said).toContain('queue c')
    expect(broken.length).toBe(0)
  })

  test('of another host than the credential are refused after they are read', async () => {
    const { said, come } = opened()
    const [a, b] = await Promise.allSettled([come('a', jsonOf('other')), come('b')])
    expect(a).toMatchObject({ reason: { code: 'credential_of_other_host' } })
    expect(b?.status).toBe('fulfilled')
    expect(said).toEqual(['read a', 'read b', 'queue b'])
  })

  test('wait for no one whose rows have to be asked for', async () => {
    let answer: (rows: HostRows) => void = () => undefined
    const asked = new Promise<HostRows>((resolve) => {
      answer = resolve
    })
    const { said, come } = opened({ rowsOf: (host) => (host === 'a' ? asked : NO_ROWS) })
    const waiting = come('a')
    await come('b')
    expect(said).toEqual(['read a', 'read b', 'queue b'])
    answer(NO_ROWS)
    expect(await waiting).toEqual(NEWEST)
    expect(said.at(-1)).toBe('queue a')
  })

  test.each([
    ['at once', () => NO_ROWS],
    ['later', () => Promise.resolve(NO_ROWS)],
  ])('are told what the queue refuses, with rows that are there %s', async (_when, rowsOf) => {
    const full = () => {
      throw new Error('full')
    }
    await expect(opened({ rowsOf, commit: full }).come('a')).rejects.toThrow('full')
  })

  test('are told what their rows fail with', async () => {
    const { come } = opened({ rowsOf: () => Promise.reject(new Error('no answer')) })
    await expect(come('a')).rejects.toThrow('no answer')
  })
})

test('a whole report is kept as it came, or as gzip where it came plain', async () => {
  const { members, come } = opened()
  const packed = Buffer.from('as it came')
  await Promise.all([come('a', jsonOf('a'), packed), come('b', jsonOf('b'), null)])
  const [a, b] = members.map(({ body }) => (body.base === null ? body.full : null))
  expect(a).toBe(packed)
  expect(gunzipSync(b ?? '')).toEqual(jsonOf('b'))
})
