import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { watchEvents } from '@/lib/domain/history/events'
import { rollUp } from '@/lib/domain/history/roll-up'
import { loadChanges, loadWatches } from '@/lib/services/history/load-history'
import { loadHostStory } from '@/lib/services/history/load-host-story'
import { addPgpuChange } from '@/lib/services/history/testing/add-changes'
import { writeHost } from '@/lib/services/testing/fleet-rows'
import { createServiceWorld } from '@/lib/services/testing/service-world'
import { rollUpHost } from './roll-up-host'

const world = createServiceWorld()
vi.setConfig({ testTimeout: 300_000 })

const HOUR = 3_600_000
const BEGIN = Date.parse('2026-08-01T00:00:00Z')
/** So many hours that the state before a range is in the preceding months or older. */
const HOURS = 24 * 100
const ADDRESSES = ['0000:61:00.0', '0000:62:00.0', '0000:63:00.0']

const moment = fc.integer({ min: 0, max: HOURS }).map((hour) => BEGIN + hour * HOUR)
const address = fc.constantFrom(...ADDRESSES)
const change = fc.record({ at: moment, address, used: fc.nat(8), isGone: fc.nat(5).map((n) => n === 0) })
const word = fc.record({ at: moment, address, stranded: fc.option(fc.nat(4)) })
const watch = fc.record({ since: moment, hours: fc.integer({ min: 1, max: 400 }) })
const history = fc.record({
  /** Few distinct times, so that several changes have the same one and only their order decides. */
  changes: fc
    .array(change, { maxLength: 12 })
    .chain((list) =>
      fc
        .array(fc.record({ of: fc.nat(Math.max(list.length - 1, 0)), used: fc.nat(8) }), { maxLength: 6 })
        .map((again) => [
          ...list,
          ...again.flatMap(({ of, used }) =>
            list.slice(of, of + 1).map((one) => ({ ...one, used, isGone: false })),
          ),
        ]),
    ),
  words: fc.uniqueArray(word, { maxLength: 6, selector: (one) => `${one.address} ${one.at}` }),
  watches: fc.uniqueArray(watch, { maxLength: 5, selector: ({ since }) => since }),
  range: fc.tuple(moment, fc.integer({ min: 1, max: 900 })),
  /** In which rows came: what is late comes after what is newer. */
  order: fc.infiniteStream(fc.nat()),
})

function* turns(): Generator<number> {
  for (let turn = 0; ; turn -= 1) yield turn
}

/** Two changes of one moment, the later one first: the runs that are drawn have such by chance alone. */
const TIE = {
  changes: [1, 5].map((used) => ({
    at: BEGIN + 20 * HOUR,
    address: ADDRESSES[0] ?? '',
    used,
    isGone: false,
  })),
  words: [],
  watches: [{ since: BEGIN, hours: 400 }],
  range: [BEGIN + 2 * HOUR, 300] as [number, number],
  order: fc.stream(turns()),
}

const WORD = `
INSERT INTO pgpu_cloud_change (host_id, address, at, stranded, service_state, aggregates) VALUES ($1, $2, $3, $4, 'up', '{gpu}')`
const WATCH = `
INSERT INTO host_watch (host_id, enrolment, boot, sequence, since, until) VALUES ($1, 1, 1, $2, $3, $4)`

test('the series of a host equals that of its whole history, with late data in any order', async () => {
  const { id: cloudId } = await world.newCloud()
  const { query } = world.database()
  let hosts = 0
  const check = fc.asyncProperty(
    history,
    async ({ changes, words, watches, range: [from, hours], order }) => {
      hosts += 1
      const pgpus = ADDRESSES.slice(0, 2).map((one) => ({ address: one }))
      const hostId = await writeHost(world.database(), { cloudId, name: `cmp-${hosts}`, pgpus })
      await query('UPDATE host SET watched_since = NULL, watched_at = NULL WHERE id = $1', [hostId])
      for (const one of ADDRESSES)
        await world
          .database()
          .prisma.pgpuCloud.create({ data: { hostId, address: one, aggregates: ['gpu'] } })
      const until = from + hours * HOUR
      // The history records that the third pGPU was removed.
      const gone = { at: BEGIN + (HOURS + 1) * HOUR, address: ADDRESSES[2] ?? '', used: 0, isGone: true }
      const rows = [...changes, gone].map((one, sequence) => ({
        ...one,
        sequence,
        turn: order.next().value ?? 0,
      }))
      for (const { at, used, isGone, turn: _, ...row } of rows.toSorted((a, b) => a.turn - b.turn)) {
        const point = isGone ? { framework: null } : { capacity: 8, used, spare: 8 - used }
        await addPgpuChange(query, { ...row, ...point, hostId, at: new Date(at) })
      }
      for (const one of words) await query(WORD, [hostId, one.address, new Date(one.at), one.stranded])
      for (const [index, one] of watches.entries())
        await query(WATCH, [hostId, index, new Date(one.since), new Date(one.since + one.hours * HOUR)])

      const spans = { begin: from, stepMs: 7 * HOUR, until }
      const story = await loadHostStory(query, { hostId, from, until })
      const all = { hostIds: [hostId], from: new Date(0), until: new Date(until) }
      const whole = [
        ...watchEvents(await loadWatches(query, all)),
        ...(await loadChanges(query, { ...all, subjects: 'pgpus' })),
      ]
      const straight = rollUp({
        events: whole.toSorted((a, b) => a.at - b.at),
        ...spans,
        groupsOfPgpu: (_point, _word, key) => [
          { dimension: 'all', key: '', label: '' },
          { dimension: 'pgpu', key, label: key },
        ],
        groupsOfHolding: () => [],
      })
      const byKey = (groups: typeof straight) => groups.toSorted((a, b) => (a.key < b.key ? -1 : 1))
      const rolledUp = (groups: typeof straight) =>
        byKey(groups).filter(({ slots }) => slots.some((slot) => slot !== null))
      expect(rolledUp(rollUpHost(story.events, spans))).toEqual(rolledUp(straight))
      const moments = [...rows.map(({ at }) => at), ...watches.map(({ since }) => since)]
      expect(story.firstAt).toBe(Math.min(...moments))
      // A later begin of the same history: it includes the state at that time.
      const late = { begin: until - HOUR, stepMs: HOUR, until }
      const lateWhole = await loadHostStory(query, { hostId, from: late.begin, until })
      expect(rolledUp(rollUpHost(story.events, late))).toEqual(rolledUp(rollUpHost(lateWhole.events, late)))
    },
  )
  await fc.assert(check, { numRuns: 25, examples: [[TIE]] })
})
