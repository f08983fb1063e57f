import fc from 'fast-check'
import { createHostWatch } from '@/agent/commands/run-watch'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Guest, Inventory } from '@/lib/schemas/agent/inventory'
import type { Position, Watched } from '@/lib/schemas/agent/report'

/** A report or heartbeat as its agent made it. Times in ms, the host's clock apart from true time. */
export type LifeMessage = {
  kind: 'report' | 'heartbeat'
  position: Position
  /** Place in FOUND of what the scan found. */
  found: number
  /** True time of the scan behind it. */
  scannedAt: number
  watched: Watched
  /** Which scan and which unbroken stretch of scans it belongs to. */
  scan: number
  interval: number
}

/** One message as it reaches a console. */
export type LifeArrival = { message: LifeMessage; sentAt: number; receivedAt: number; console: 0 | 1 }

/** What a host and its agent did, and how the network brought it. */
export type HostLife = {
  clockOffMs: number
  /** Every scan as the message that it makes where the console is never away. */
  scans: LifeMessage[]
  /** In the order in which they come. */
  arrivals: LifeArrival[]
}

const START = Date.parse('2026-03-01T12:00:00Z')
const INTERVAL_MS = 30_000

const whole = t4SeedHost()
const [anyGuest] = whole.guests ?? []
const [anyMdev] = whole.mdevs ?? []
if (anyGuest === undefined || anyMdev === undefined) throw new Error('the fixture has a guest with an mdev')

const onCard = (index: number, guest: Partial<Guest> = {}): Inventory => ({
  ...whole,
  mdevs: [{ ...anyMdev, parent: whole.gpus[index]?.address ?? anyMdev.parent }],
  guests: [{ ...anyGuest, ...guest }],
})

const nova = anyGuest.nova && { ...anyGuest.nova, flavorName: 'another' }

/** What a scan may find: the guest here and there, shut off, resized, gone, unreadable; its mdev out of sight. */
export const FOUND: readonly Inventory[] = [
  whole,
  onCard(0),
  onCard(1),
  onCard(1, { state: 'shutoff' }),
  onCard(1, { nova }),
  { ...whole, guests: [] },
  { ...whole, guests: [], mdevs: [] },
  { ...whole, guests: null },
  { ...whole, mdevs: null },
  { ...whole, gpus: whole.gpus.slice(0, 6) },
]

const step = fc.record({
  /** Before the scan, in seconds: as it should be, slow, or as after a suspension. */
  pause: fc.constantFrom(30, 30, 30, 31.5, 45, 400, 3600),
  isRestart: fc.nat(5).map((die) => die === 0),
  change: fc.option(fc.nat(FOUND.length - 1), { nil: null, freq: 2 }),
  isConsoleUp: fc.constantFrom(true, true, false),
  /** What becomes of what is sent: an answer that is lost brings it twice, now or late; a heartbeat may never come. */
  fate: fc.constantFrom('sent', 'sent', 'doubled', 'doubled-late', 'lost') as fc.Arbitrary<Fate>,
  latencyMs: fc.nat(5000),
  console: fc.constantFrom(0 as const, 1 as const),
})
type Fate = 'sent' | 'doubled' | 'doubled-late' | 'lost'
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A clock that is behind by less than what a message may be on its way counts as right. */
const CLOCKS = [0, 0, -4000, 3000, 20 * 60_000, -20 * 60_000, 2 * 86_400_000]

const live = (steps: readonly Step[], clockOffMs: number): HostLife => {
  const scans: LifeMessage[] = []
  const arrivals: LifeArrival[] = []
  const late: LifeArrival[] = []
  let spool: LifeMessage[] = []
  let now = START
  let position: Position = { boot: 1, sequence: 0 }
  let found = 0
  let lastSentAt: number | null = null
  let interval = 0
  const startAgent = () => createHostWatch({ intervalMs: () => INTERVAL_MS, uptimeMs: () => now })
  let agent = startAgent()
  const next = () => {
    position = { boot: position.boot, sequence: position.sequence + 1 }
    return position
  }

  for (const [scan, { pause, isRestart, change, isConsoleUp, fate, latencyMs, console }] of steps.entries()) {
    now += pause * 1000
    if (isRestart) {
      position = { boot: position.boot + 1, sequence: 0 }
      agent = startAgent()
    }
    found = change ?? found
    const forMs = agent.scanned()
    if (forMs === 0) interval += 1
    const base = { found, scannedAt: now, watched: { forMs, agoMs: 0 }, scan, interval }
    const isReport = found !== lastSentAt
    const atOnce = { boot: position.boot, sequence: scan + 1 }
    scans.push({ ...base, kind: isReport ? 'report' : 'heartbeat', position: atOnce })
    if (isReport) {
      spool.push({ ...base, kind: 'report', position: next() })
      lastSentAt = found
    }
    if (!isConsoleUp) continue
    const isOwed = spool.length === 0
    const sent: LifeMessage[] = isOwed ? [{ ...base, kind: 'heartbeat', position: next() }] : spool
    spool = []
    // Of a clock that is ahead each delay makes the estimate another one; of one that is far behind too.
    const onItsWayMs = !isOwed && (clockOffMs === 0 || clockOffMs === -4000) ? latencyMs : 0
    for (const message of sent) {
      const arrival = { message, sentAt: now, receivedAt: now + onItsWayMs, console }
      const isLost = isOwed && fate === 'lost'
      if (isLost) late.push(arrival)
      else {
        arrivals.push(arrival)
        if (fate === 'doubled') arrivals.push({ ...arrival, console: console === 0 ? 1 : 0 })
        // What was given up may still come, once something newer has.
        if (!isOwed || fate === 'sent') arrivals.push(...late.splice(0))
        if (fate === 'doubled-late') late.push(arrival)
      }
    }
  }
  for (const message of spool)
    arrivals.push({ message, sentAt: now + 1000, receivedAt: now + 1000, console: 0 })
  arrivals.push(...(spool.length > 0 ? late : []))
  return { clockOffMs, scans, arrivals }
}

/** A host's life of some scans. Its agent is the real one's clockwork. */
export const hostLife: fc.Arbitrary<HostLife> = fc
  .record({
    clockOffMs: fc.constantFrom(...CLOCKS),
    steps: fc.array(step, { minLength: 2, maxLength: 12 }),
  })
  .map(({ steps, clockOffMs }) => live(steps, clockOffMs))
