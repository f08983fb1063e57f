import { setTimeout as wait } from 'node:timers/promises'
import { inventoryDigest } from '@/lib/schemas/agent/digest'
import { comeBack, comingBody, comingInventory, createRush } from './come-back'
import { sendHeartbeat, sendReport } from './send'

/** Far more often than agents do, for enough samples. */
const EVERY_MS = 500

export type Beats = { ms: number[]; refused: number }

/** Hosts that were never away: known to the console, and sending a heartbeat every half second. */
export const createBeatingHosts = async ({
  port,
  indexes,
}: {
  port: number
  indexes: readonly number[]
}): Promise<{ during: <T>(work: Promise<T>) => Promise<Beats> }> => {
  const hosts = indexes.map((index) => ({
    index,
    digest: inventoryDigest(comingInventory(index)),
    sequence: 1,
  }))
  const rush = createRush()
  await Promise.all(
    indexes.map((index) =>
      comeBack(() => sendReport(port, { host: index, body: comingBody(index) }), { rush }),
    ),
  )
  return {
    during: async (work) => {
      const beats: Beats = { ms: [], refused: 0 }
      let isOver = false
      const beat = async (host: (typeof hosts)[number], turn: number): Promise<void> => {
        await wait((EVERY_MS * turn) / hosts.length)
        while (!isOver) {
          host.sequence += 1
          const { index, digest, sequence } = host
          const beganAt = performance.now()
          const position = { boot: 1, sequence }
          const answer = await sendHeartbeat(port, { host: index, digest, position }).catch(() => null)
          beats.ms.push(performance.now() - beganAt)
          if (answer?.status !== 200) beats.refused += 1
          await wait(Math.max(0, EVERY_MS - (performance.now() - beganAt)))
        }
      }
      const beating = Promise.all(hosts.map(beat))
      await work
      isOver = true
      await beating
      return beats
    },
  }
}
