import 'server-only'
import type { Server } from '@/lib/domain/cloud/types'
import type { StepTask } from '@/lib/domain/plans/types'
import { shellWord } from '@/lib/util/encode/shell'
import { blocked, GOES_ON, waiting } from './blocked'
import type { CheckResult, ConsoleHandler, StepTools } from './step-work'

type Task = Extract<StepTask, { kind: 'drain-server' }>

/** Why a server has to leave: ordinary ones hold no vGPU. */
const holds = ({ typeName, host }: Task): string =>
  typeName === '' ? `uses CPU and memory of ${host}` : `holds a vGPU of ${typeName} on ${host}`

const isAway = ({ host }: Server, task: Task): boolean => host !== task.service

/** A migration that failed since the plan was made is for a person to judge: it is not tried again and again. */
const failedMove = async ({ nova }: StepTools, task: Task): Promise<CheckResult | null> => {
  const { items } = await nova.listMigrations({ serverUuid: task.serverUuid })
  const failed = items.find(
    ({ serverUuid, status, sourceHost, createdAt }) =>
      serverUuid === task.serverUuid &&
      sourceHost === task.service &&
      (status === 'error' || status === 'failed') &&
      createdAt !== null &&
      Date.parse(createdAt) >= Date.parse(task.plannedAt),
  )
  return failed === undefined
    ? null
    : blocked(
        `The ${failed.type} of ${task.serverName} ended in ${failed.status}, and it still ${holds(task)}.`,
        `Check it with "openstack server event list ${shellWord(task.serverUuid)}", then migrate it manually, or ask its owner to delete it. ${GOES_ON}`,
      )
}

const owned = (server: Server, task: Task): CheckResult =>
  blocked(
    `${task.serverName} of ${task.owner} is ${server.status} and still ${holds(task)}.`,
    `Ask its owner to delete or shelve it, or migrate it manually. ${GOES_ON}`,
  )

/** Cold-migrated; the source keeps its allocation until the migration is confirmed. */
const moved = async (
  { nova }: StepTools,
  { serverUuid, serverName, service }: Task,
): Promise<CheckResult> => {
  const { items } = await nova.listMigrations({ serverUuid })
  // The server was read a moment ago: by now its migration may be confirmed, and nothing be left to confirm.
  const isWaiting = items.some(
    (migration) => migration.serverUuid === serverUuid && migration.status === 'finished',
  )
  return isWaiting
    ? { state: 'ready', intent: { way: 'confirm', from: service } }
    : waiting({ by: `The migration of ${serverName} is being confirmed.`, withinSeconds: 60 })
}

/**
 * nova-compute of the source completes a live migration after the server is on its new host. If it is restarted before, the
 * migration keeps its allocation (nova/compute/manager.py _post_live_migration). Null: nothing is left to complete.
 */
const completing = async (
  { nova, placement }: StepTools,
  { serverUuid, serverName, service }: Task,
): Promise<CheckResult | null> => {
  const { items } = await nova.listMigrations({ serverUuid })
  const [latest] = items
    .filter(
      (migration) =>
        migration.serverUuid === serverUuid &&
        migration.sourceHost === service &&
        migration.type === 'live-migration',
    )
    .toSorted((a, b) => Date.parse(b.createdAt ?? '') - Date.parse(a.createdAt ?? ''))
  if (latest === undefined) return null
  if (!latest.isInProgress && (await placement.getConsumer(latest.uuid)).allocations.length === 0) return null
  return waiting({
    by: `nova-compute of ${service} completes the migration of ${serverName}.`,
    withinSeconds: 120,
  })
}

const check = async (tools: StepTools, task: Task): Promise<CheckResult> => {
  const server = await tools.nova.getServer(task.serverUuid)
  if (server === null) return { state: 'holds', answer: `Nova no longer has the server ${task.serverName}.` }
  if (server.status === 'VERIFY_RESIZE' && server.taskState === null) return moved(tools, task)
  if (isAway(server, task) && server.taskState === null)
    return (
      (await completing(tools, task)) ?? {
        state: 'holds',
        answer:
          server.host === null
            ? `${task.serverName} is ${server.status} and on no host.`
            : `${task.serverName} is ${server.status} on ${server.host}.`,
      }
    )
  if (server.taskState !== null)
    return waiting({
      by: `${task.serverName} is ${server.taskState} on ${task.service}.`,
      withinSeconds: 600,
    })
  if (task.way === 'owner') return owned(server, task)
  return (
    (await failedMove(tools, task)) ?? {
      state: 'ready',
      intent: { way: wayNow(server, task), from: task.service },
    }
  )
}

/** The server may have been shut off since the plan was created. */
const wayNow = ({ status }: Server, { way }: Task): 'live' | 'cold' =>
  way === 'live' && status !== 'SHUTOFF' ? 'live' : 'cold'

/** Moves one server off its host; the server stays on its new host, even if the change is rolled back. */
export const drainServerHandler: ConsoleHandler<Task> = {
  by: 'console',
  check,
  act: async ({ nova }, task, { way }) => {
    const path = `POST /servers/${task.serverUuid}/action`
    if (way === 'confirm') {
      await nova.confirmResize(task.serverUuid)
      return `${path} confirmResize: accepted.`
    }
    if (way === 'live') await nova.liveMigrate(task.serverUuid)
    else await nova.coldMigrate(task.serverUuid)
    return `${path} ${way === 'live' ? 'os-migrateLive' : 'migrate'}: accepted.`
  },
  checkUndo: async ({ nova }, task) => {
    const server = await nova.getServer(task.serverUuid)
    const where = server === null ? 'is deleted' : `stays on ${server.host ?? 'no host'}`
    return { state: 'holds', answer: `${task.serverName} ${where}: migrated servers are not moved back.` }
  },
  undo: async (_tools, task) => `${task.serverName} stays where it is.`,
}
