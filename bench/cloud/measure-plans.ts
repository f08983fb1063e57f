import { CLOUD } from '@/e2e/world/clouds-yaml'
import { apiPaths } from '@/lib/util/paths'
import { type ChosenGpu, chooseGpus, typeChangeOf } from './choose-gpus'
import { maxDelay } from './loop-window'
import type { PreparedWorld } from './prepare-world'
import { openSignedIn } from './signed-in-console'

export type MeasuredPlan = {
  kind: string
  gpus: number
  /** Another than 200: the plan was refused, with the reason. */
  status: number
  reason: string | null
  ms: number
  blockingMs: number
  bytes: number
}

const COUNTS = [4, 50, 200, 1000]

const KINDS: Record<string, (gpus: readonly ChosenGpu[]) => object> = {
  type: typeChangeOf,
  traits: (gpus) => ({ gpus, rule: 'auto' }),
  passthrough: (gpus) => ({ gpus, to: 'whole', alias: null, isFlavorLossAccepted: true }),
  orphans: (gpus) => ({ gpus }),
}

const reasonOf = (text: string): string | null => {
  const { error } = JSON.parse(text) as { error?: { message?: string } }
  return error?.message ?? null
}

/** The preview of each kind of plan for more and more GPUs, as far as the cloud has them. */
export const measurePlans = async (world: PreparedWorld): Promise<MeasuredPlan[]> => {
  const { console, admin } = await openSignedIn(world)
  const gpus = await chooseGpus(world)
  const url = new URL(apiPaths.changePreview(), console.address)
  const headers = { 'content-type': 'application/json', origin: url.origin, cookie: admin }
  const measured: MeasuredPlan[] = []
  for (const [kind, inputOf] of Object.entries(KINDS)) {
    for (const count of COUNTS.filter((wanted) => wanted <= gpus.length)) {
      const body = JSON.stringify({ cloud: CLOUD, kind, ...inputOf(gpus.slice(0, count)) })
      await console.window()
      const beganMs = performance.now()
      const answer = await fetch(url, { method: 'POST', headers, body })
      const text = await answer.text()
      const ms = performance.now() - beganMs
      const blockingMs = maxDelay(await console.window())
      const reason = answer.ok ? null : reasonOf(text)
      measured.push({ kind, gpus: count, status: answer.status, reason, ms, blockingMs, bytes: text.length })
    }
  }
  await console.stop()
  return measured
}
