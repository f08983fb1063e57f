import 'server-only'
import { randomBytes } from 'node:crypto'
import { gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { limitTable } from '@/lib/domain/limits/limit-view'
import { createNova } from '@/lib/openstack/nova/create-nova'
import type { NovaClient } from '@/lib/openstack/nova/types'
import { isOpenStackError } from '@/lib/openstack/openstack-error'
import { personSession } from '@/lib/openstack/session/person-session'
import type { OpenStackSession, ServiceAccount } from '@/lib/openstack/session/types'
import type { LimitTrial } from '@/lib/schemas/api/limit-trial'
import { type TryLimit, tryLimitSchema } from '@/lib/schemas/api/limit-trial-inputs'
import { type CloudScope, cloudScopeSchema } from '@/lib/schemas/api/scope'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { callerOf } from '@/lib/services/change/act-on-change'
import { personToken } from '@/lib/services/change/person-token'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { notReadYet } from '@/lib/services/fit/not-read'
import { askUsages } from '@/lib/services/quota/ask-usages'
import { loadLimitFleet } from '@/lib/services/quota/load-limit-fleet'
import { allSteps } from '@/lib/util/all-steps'
import { dryRun } from './dry-run'

/** Who asks Nova, and for which project. */
type Caller = { session: OpenStackSession; projectId: string }

const callerIn = async (ctx: ServiceContext, account: ServiceAccount): Promise<Caller> => {
  const caller = callerOf(ctx, false)
  const scope = ctx.actor.kind === 'user' ? (ctx.actor.account?.scope ?? null) : null
  if (scope?.kind === 'project')
    return { session: personSession(account, await personToken(ctx, caller)), projectId: scope.id }
  const own = (await account.token('project')).scope
  if (own.kind !== 'project')
    throw new ServiceError('precondition', 'The service account has no project: name one in clouds.yaml.')
  return { session: account, projectId: own.id }
}

type Expected = { project: string; flavor: string; message: string }

/**
 * The result of the dry check of the caller's project. Anything but a refusal would create a server, so the request is
 * not sent then.
 */
const expectRefusal = async (
  ctx: ServiceContext,
  {
    cloud,
    account,
    flavorId,
    projectId,
  }: { cloud: Cloud; account: ServiceAccount; flavorId: string; projectId: string },
): Promise<Expected> => {
  const fleet = await loadLimitFleet(ctx, { cloud, account })
  const view = fleet === null ? null : limitTable(fleet)
  if (fleet === null || view === null) throw notReadYet(cloud)
  const projectIds = [projectId].filter((id) => fleet.projects.get(id)?.isEnabled === true)
  const { uses } = await askUsages({ account, projectIds, now: ctx.now, isFresh: true, countsServers: true })
  const flavor = gpuFlavors(fleet).find((each) => each.flavor.id === flavorId && each.classes.length > 0)
    ?.flavor.name
  const [own] = allSteps(dryRun({ fleet, view, projectIds, uses }, flavorId))?.projects ?? []
  if (flavor === undefined || own === undefined)
    throw new ServiceError(
      'precondition',
      'Your project cannot use this flavor. Select a flavor of the dry check, or sign in to another project.',
      { field: 'flavorId' },
    )
  if (own.state !== 'refused' || own.message === null)
    throw new ServiceError(
      'precondition',
      own.state === 'fits'
        ? `${own.projectName} can still create a server of ${flavor} within its limits. Select a flavor that the dry check refuses, or sign in to a project that is full.`
        : `The result for ${own.projectName} is unknown: ${own.message}.`,
      { field: 'flavorId' },
    )
  return { project: own.projectName, flavor, message: own.message }
}

/** Deletes what Nova made under the name; the answer to the request may have been lost. */
const clear = async (nova: NovaClient, name: string): Promise<number> => {
  const { items } = await nova.listServers({ name: `^${name}$` })
  const made = items.filter((server) => server.name === name && !server.isDeleted)
  for (const { uuid } of made) await nova.deleteServer(uuid)
  return made.length
}

type Answer = Pick<LimitTrial, 'state' | 'message'>

const ask = async (nova: NovaClient, name: string, { flavorId, imageId }: TryLimit): Promise<Answer> => {
  try {
    const uuid = await nova.createServer({ name, flavorId, imageId, networks: 'none', metadata: {} })
    await nova.deleteServer(uuid)
    return {
      state: 'accepted',
      message: `Nova began to create the server ${name} (${uuid}). The server was deleted immediately.`,
    }
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    if (error.kind === 'http' && error.status === 403)
      return { state: 'refused', message: error.detail ?? error.message }
    const isSure = error.kind === 'http' && error.status !== null && error.status < 500
    const left = isSure ? 0 : await clear(nova, name)
    return {
      state: 'failed',
      message: left === 0 ? error.message : `${error.message} The server ${name} was deleted.`,
    }
  }
}

const record = (
  ctx: ServiceContext,
  {
    cloud,
    projectId,
    step,
    after,
  }: { cloud: Cloud; projectId: string; step: 'begin' | 'end'; after: object },
): Promise<void> =>
  ctx.database.transaction(({ query }) =>
    writeAudit(query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: cloud.name,
      action: `limit-trial.${step}`,
      subject: `project:${projectId}`,
      before: null,
      after,
    }),
  )

/**
 * Asks Nova for one server that the limits of the caller's project forbid: the proof that Nova goes by them. A server that
 * Nova makes all the same is deleted at once.
 */
export const tryLimit = async (
  ctx: ServiceContext,
  { body, ...input }: CloudScope & { body: TryLimit },
): Promise<LimitTrial> => {
  requirePermission(ctx, 'change.run')
  const trial = parseInput(tryLimitSchema, body)
  const cloud = await findCloud(ctx, parseInput(cloudScopeSchema, input))
  const account = ctx.accounts.find((one) => one.cloud === cloud.name)
  if (account === undefined)
    throw new ServiceError('unavailable', `The cloud ${cloud.name} is not configured. Add it to clouds.yaml.`)
  const { session, projectId } = await callerIn(ctx, account)
  const expected = await expectRefusal(ctx, { cloud, account, flavorId: trial.flavorId, projectId })
  const name = `sliceboard-limit-${randomBytes(6).toString('hex')}`
  await record(ctx, { cloud, projectId, step: 'begin', after: { server: name, ...trial } })
  const answer = await ask(createNova({ account: session }), name, trial)
  await record(ctx, { cloud, projectId, step: 'end', after: { server: name, ...answer } })
  const { project, flavor, message } = expected
  return { project, flavor, ...answer, isForetold: answer.state === 'refused' && answer.message === message }
}
