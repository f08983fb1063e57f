import { type ChangePlan, changeDetailSchema, changePlanSchema } from '@/lib/schemas/api/change'
import type { ActOnChange, PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { apiPaths, changePath, newTypePath } from '@/lib/util/paths'

/** A busy host of the demo whose agent may act. */
const HOST = 'cmp-r2-05'
const TYPE = 'nvidia-320'
/** Until its servers have moved and the console has seen what was done by hand. */
const LIMIT_MS = 600_000

const post = async (url: string, at: string, body: unknown): Promise<unknown> => {
  const answer = await fetch(new URL(at, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST ${at}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const input = (gpus: PlanTypeChange['gpus']): PlanTypeChange => ({
  cloud: null,
  kind: 'type',
  gpus,
  typeId: TYPE,
  resourceClass: null,
  isFlavorLossAccepted: true,
})

/** The pGPU with the most servers in the way, of which none has to wait for its owner. */
const busiest = ({ preview }: ChangePlan): string => {
  const typeChange = preview.kind === 'type' ? preview.typeChange : null
  const serversOf = (address: string) =>
    (typeChange?.servers ?? []).filter((server) => server.address === address)
  const found = (typeChange?.hosts ?? [])
    .flatMap(({ pgpus }) => pgpus.map(({ address }) => address))
    .filter((address) => serversOf(address).every(({ way }) => way !== 'owner'))
    .toSorted((a, b) => serversOf(b).length - serversOf(a).length)[0]
  if (found === undefined) throw new Error(`No pGPU of ${HOST} can be given ${TYPE} now.`)
  return found
}

/** Some servers have moved, and there is more to come. */
const STEPS_DONE = 4

const untilUnderWay = async (url: string, id: number): Promise<void> => {
  const deadline = Date.now() + LIMIT_MS
  for (;;) {
    const answer = await fetch(new URL(apiPaths.change({ id }), url))
    const { state, steps } = changeDetailSchema.parse(await answer.json())
    if (steps.filter((step) => step.state === 'done').length >= STEPS_DONE) return
    if (state !== 'running' || Date.now() > deadline)
      throw new Error(`Change ${id} is ${state}: ${JSON.stringify(steps, null, 1)}`)
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
}

/** Until the demo's cloud has been read whole there is nothing to plan by. */
const firstPlan = async (url: string): Promise<ChangePlan> => {
  const deadline = Date.now() + LIMIT_MS
  for (;;) {
    try {
      return changePlanSchema.parse(await post(url, apiPaths.changePreview(), input({ host: HOST })))
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 2000))
    }
  }
}

/** Plans a change of the type in a running demo; nothing is saved yet. */
export const planChange = async (url: string): Promise<{ planPath: string; address: string }> => {
  const plan = await firstPlan(url)
  const address = busiest(plan)
  const planPath = newTypePath({ cloud: null, gpus: [{ host: HOST, address }], type: TYPE })
  // As in the input above: else a flavor that would lose its last host leaves a plan without steps.
  return { planPath: `${planPath}&loss=true`, address }
}

/** Starts it, and follows it for some steps. */
export const beginChange = async (url: string, address: string): Promise<string> => {
  const planned = await post(url, apiPaths.changes(), input([{ host: HOST, address }]))
  const { id, version } = changeDetailSchema.parse(planned)
  const start: ActOnChange = { action: 'start', version }
  await post(url, apiPaths.changeActions({ id }), start)
  await untilUnderWay(url, id)
  return changePath({ cloud: null, id })
}
