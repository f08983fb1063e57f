import 'server-only'
import { guestVgpus } from '@/lib/domain/cloud/guest-vgpus'
import type { StepTask } from '@/lib/domain/plans/types'
import { listText } from '@/lib/domain/wording'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { blocked, GOES_ON, unreadable, waiting } from './blocked'
import { readService, stateText } from './compute-service'
import { deleteTest, lookGone } from './delete-test'
import { type CheckResult, type ConsoleHandler, StepFailed, type StepTools } from './step-work'
import { testMetadata, testServers } from './test-server'

type Task = Extract<StepTask, { kind: 'test-boot' }>

/** A server that came up wrong, or not at all; by hand nothing is cleaned away without the person. */
const wrong = ({ change }: StepTools, { test, host }: Task, why: string): CheckResult =>
  change.isByHand
    ? blocked(
        why,
        `Delete ${test.name}, disable scheduling on ${host} and check the host. Then boot it again, or roll back.`,
      )
    : { state: 'ready', intent: { phase: 'clean', why } }

const lookRunning = async (
  tools: StepTools,
  task: Task,
  server: { uuid: string; host: string | null },
): Promise<CheckResult> => {
  const { host, service, test, typeId, typeName, addresses } = task
  if (server.host !== service)
    return wrong(
      tools,
      task,
      `The test server ${test.name} started on ${server.host ?? 'no host'}, not on ${service}.`,
    )
  const { joined, reason } = await tools.hostNow(host)
  if (joined === null) return unreadable(host, reason)
  const vgpus = guestVgpus(joined, server.uuid)
  if (vgpus === null)
    return waiting({
      by: `${test.name} is ACTIVE, and the agent of ${host} has not reported its guest yet.`,
      withinSeconds: 60,
    })
  const got = listText(
    vgpus.map(({ name, typeId: own, address }) => `${name} (${own ?? 'no type'}) of ${address}`),
  )
  if (vgpus.length === 0)
    return wrong(
      tools,
      task,
      `${test.name} started on ${host} without a vGPU: the flavor ${test.flavorName} requests none.`,
    )
  const other = vgpus.find((vgpu) => vgpu.typeId !== typeId || !addresses.includes(vgpu.address))
  return other === undefined
    ? { state: 'holds', answer: `${test.name} (${server.uuid}) is ACTIVE on ${host} with ${got}.` }
    : wrong(
        tools,
        task,
        `${test.name} started on ${host} with ${got}, not with ${typeName} (${typeId}) of ${listText(addresses)}. Select a flavor that requests this type.`,
      )
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const { service: name, test, reason } = task
  const service = await readService(tools, name)
  if (service === null) return blocked(`Nova no longer has a nova-compute service of ${name}.`)
  const [server] = await testServers(tools, test)
  if (server !== undefined) {
    if (server.status === 'ERROR')
      return wrong(tools, task, `${test.name} ended in ERROR: ${server.fault ?? 'Nova reports no reason.'}`)
    return server.status === 'ACTIVE' && server.taskState === null
      ? lookRunning(tools, task, server)
      : waiting({ by: `${test.name} is ${server.taskState ?? server.status}.`, withinSeconds: 300 })
  }
  const isOwnClosing = service.status === 'disabled' && service.disabledReason === reason
  if (service.status !== 'enabled' && !isOwnClosing)
    return blocked(
      `nova-compute of ${name} is disabled, and this change did not disable it. Reason: ${service.disabledReason ?? 'none'}.`,
      'Enable it, or skip the step: Nova schedules no server to a disabled host.',
    )
  return stateText(service) === 'up'
    ? { state: 'ready', intent: { phase: 'boot' } }
    : blocked(`nova-compute of ${name} is ${stateText(service)}.`, `Start it. ${GOES_ON}`)
}

const close = async (tools: StepTools, { service: name, reason }: Task): Promise<void> => {
  const service = await readService(tools, name)
  if (service?.status === 'enabled') await tools.nova.disableService(service.id, reason)
}

/** Nova refused the request, so that no server exists; after any other error the step is checked again. */
const isRefusal = (error: unknown): boolean =>
  isOpenStackError(error) &&
  error.kind === 'http' &&
  error.status !== null &&
  error.status >= 400 &&
  error.status < 500 &&
  ![401, 409, 429].includes(error.status)

/** What a person may do about a test that failed. */
const ways = ({ host }: Task): string =>
  `Select Resume to boot another server, skip this step to enable scheduling on ${host} without a test, or roll back.`

const boot = async (tools: StepTools, task: Task): Promise<string> => {
  const { service: name, host, test } = task
  const service = await readService(tools, name)
  // A failed test has disabled the host; continuing means to try the test again.
  if (service?.status === 'disabled') await tools.nova.enableService(service.id)
  const { flavorId, imageId, networks } = test
  const server = { name: test.name, flavorId, imageId, networks, host: name }
  try {
    const uuid = await tools.nova.createServer({ ...server, metadata: testMetadata(tools, { host, test }) })
    return `POST /servers: ${test.name} (${uuid}) is being built on ${name}.`
  } catch (error) {
    if (!isRefusal(error)) throw error
    await close(tools, task)
    throw new StepFailed(
      `Nova does not boot ${test.name} on ${host}, where scheduling is disabled again: ${error instanceof Error ? error.message : String(error)} ${ways(task)}`,
    )
  }
}

const clean = async (tools: StepTools, task: Task, why: string): Promise<string> => {
  await close(tools, task)
  await deleteTest(tools, task)
  throw new StepFailed(
    `${why} The test server was deleted, and scheduling is disabled again on ${task.host}. ${ways(task)}`,
  )
}

/** A server of a flavor comes up on exactly this host, with a vGPU of the new type. */
export const testBootHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: (tools, task, { phase, why }) =>
    phase === 'clean' ? clean(tools, task, String(why)) : boot(tools, task),
  checkUndo: lookGone,
  undo: deleteTest,
}
