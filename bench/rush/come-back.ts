import { gzipSync } from 'node:zlib'
import { DEFAULT_TIMING } from '@/agent/commands/run-session'
import { createBackOff } from '@/agent/http/back-off'
import { parseRetryAfter } from '@/agent/http/retry-after'
import { t4SeedHost } from '@/lib/domain/testing/fixtures'
import type { Inventory } from '@/lib/schemas/agent/inventory'
import { reportText } from '@/lib/services/report/testing/sent-report'
import { hostNameOf } from '../ingest/credentials'

/** An agent takes it for a console that is away. Seen where thousands of connections come at once. */
export const CUT_OFF = 'no answer'

export type Answer = { status: number; retryAfter: string | undefined; date: string | undefined }

export type Rush = {
  /** Milliseconds from the host's first try, and from its last one, until each host was acknowledged. */
  doneMs: number[]
  tryMs: number[]
  /** When each was acknowledged, by `performance.now`. */
  doneAt: number[]
  answers: Record<string, number>
  gaveUp: number
}

export const createRush = (): Rush => ({ doneMs: [], tryMs: [], doneAt: [], answers: {}, gaveUp: 0 })

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const UUID_START = /\b[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)/g

/**
 * The host of a number, each with the same cards and with distinct mdevs and guests; with `sequence` 2 a day later, when its guest
 * has gone.
 */
export const comingInventory = (host: number, sequence = 1): Inventory => {
  const own = host.toString(16).padStart(8, '0')
  const full = JSON.parse(JSON.stringify(t4SeedHost()).replaceAll(UUID_START, own)) as Inventory
  const today = { ...full, host: { ...full.host, name: hostNameOf(host) } }
  return sequence === 1 ? today : { ...today, guests: [] }
}

/** The whole report that a host has ready, taken now, gzipped as agents send it. */
export const comingBody = (host: number, sequence = 1): Buffer =>
  gzipSync(reportText(comingInventory(host, sequence), { boot: 1, sequence }, new Date().toISOString()))

/**
 * Sends until it is taken, with the waits of a real agent, or, for a control, until it is first refused. `send` rejects where no
 * answer comes.
 */
export const comeBack = async (
  send: () => Promise<Answer>,
  { rush, isStubborn = true }: { rush: Rush; isStubborn?: boolean },
): Promise<void> => {
  const { backOffBaseMs, backOffCapMs } = DEFAULT_TIMING
  const backOff = createBackOff({ baseMs: backOffBaseMs, capMs: backOffCapMs, random: Math.random })
  const beganAt = performance.now()
  for (;;) {
    const triedAt = performance.now()
    const answer = await send().catch(() => null)
    const retryHeader =
      answer === null
        ? CUT_OFF
        : answer.status === 200
          ? '200'
          : `${answer.status}, again in ${answer.retryAfter} s`
    rush.answers[retryHeader] = (rush.answers[retryHeader] ?? 0) + 1
    if (answer?.status === 200) {
      const at = performance.now()
      rush.doneAt.push(at)
      rush.doneMs.push(at - beganAt)
      rush.tryMs.push(at - triedAt)
      return
    }
    if (!isStubborn) {
      rush.gaveUp += 1
      return
    }
    const requestedMs = parseRetryAfter({
      retryAfter: answer?.retryAfter,
      date: answer?.date,
      now: new Date(),
    })
    await pause((requestedMs ?? 0) + backOff.nextMs())
  }
}
