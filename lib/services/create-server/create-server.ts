import 'server-only'
import { describeNovaRefusal } from '@/lib/domain/create-server/refusal'
import { createNova } from '@/lib/openstack/nova/create-nova'
import type { NovaClient } from '@/lib/openstack/nova/types'
import { isOpenStackError, type OpenStackError } from '@/lib/openstack/openstack-error'
import type { CreatedServer } from '@/lib/schemas/api/create-server'
import { type CreateServer, createServerSchema } from '@/lib/schemas/api/create-server-inputs'
import { writeAudit } from '@/lib/server/audit/audit'
import { requirePermission } from '@/lib/server/context/require-permission'
import { requireProject } from '@/lib/server/context/require-project'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError, type ServiceErrorCode } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { describeFailure, isSignInEnd, signInEnded } from './describe-failure'
import { limitReads } from './limit-reads'
import { ownFlavor } from './own-flavor'
import { ownOpenStack } from './own-openstack'
import { beginRequest, endRequest, type RequestId, type ServerRequest } from './server-requests'

/** Longer than the time limit of a request to Nova with all that precedes it. */
const PENDING_MS = 120_000

const notConfirmed = (name: string): string =>
  `Nova did not confirm the server ${name}, so it may exist. Open Servers to check before you try again.`

/** The answer to a repeated request: that of the first one. */
const answerAgain = (earlier: ServerRequest, { name, at }: { name: string; at: Date }): CreatedServer => {
  const { state, serverUuid, message, code, madeAt } = earlier
  if (state === 'created' && serverUuid !== null) return { uuid: serverUuid, name }
  if (state === 'refused' && message !== null) throw new ServiceError(code ?? 'conflict', message)
  if (state === 'pending' && at.getTime() - madeAt.getTime() < PENDING_MS)
    throw new ServiceError('conflict', `The server ${name} is being created. Open Servers to see its status.`)
  throw new ServiceError('conflict', notConfirmed(name))
}

const CODES = {
  quota: 'precondition',
  policy: 'forbidden',
  conflict: 'conflict',
  busy: 'limit',
  invalid: 'validation',
} as const satisfies Record<ReturnType<typeof describeNovaRefusal>['kind'], ServiceErrorCode>

type Outcome = Omit<ServerRequest, 'madeAt'>

/** Nothing was sent in these cases, or Nova rejected what was sent. */
const isCertain = ({ kind, status }: OpenStackError): boolean =>
  ['refused-endpoint', 'tls', 'auth'].includes(kind) ||
  (kind === 'http' && status !== null && status < 500 && status !== 408)

const outcomeOf = (error: OpenStackError, name: string): Outcome => {
  if (!isCertain(error))
    return { state: 'unknown', serverUuid: null, message: notConfirmed(name), code: 'conflict' }
  const refused = (code: ServiceErrorCode, message: string): Outcome => ({
    state: 'refused',
    serverUuid: null,
    message,
    code,
  })
  if (error.kind !== 'http' || error.status === null)
    return refused('unavailable', `The server was not created: ${describeFailure(error)}.`)
  const { kind, message } = describeNovaRefusal({ status: error.status, detail: error.detail })
  return refused(CODES[kind], message)
}

const send = async (nova: NovaClient, input: CreateServer): Promise<Outcome> => {
  const { name, flavor, image, network, keyPair, securityGroups } = input
  try {
    const serverUuid = await nova.createServer({
      name,
      flavorId: flavor,
      imageId: image,
      networks: network === null ? 'none' : [network],
      metadata: {},
      ...(keyPair === null ? {} : { keyName: keyPair }),
      ...(securityGroups.length === 0 ? {} : { securityGroups }),
    })
    return { state: 'created', serverUuid, message: null, code: null }
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    return outcomeOf(error, name)
  }
}

const ENDS = {
  created: 'server.create',
  refused: 'server.refuse',
  unknown: 'server.lose',
  pending: 'server.lose',
} as const

/** The sign-in is still valid and Nova responds; else nothing is recorded or sent. */
const checkNova = async ({ log }: ServiceContext, nova: NovaClient): Promise<void> => {
  try {
    await nova.version()
  } catch (error) {
    if (!isOpenStackError(error)) throw error
    if (isSignInEnd(error)) throw signInEnded()
    log.warn({ err: error }, 'A server was not created')
    throw new ServiceError('unavailable', `The server was not created: ${describeFailure(error)}.`)
  }
}

type Work = { cloud: Cloud; id: RequestId; projectId: string; input: CreateServer; flavorName: string }

/** The earlier request with this key; null: this is the first one. */
const recordRequest = (ctx: ServiceContext, work: Work): Promise<ServerRequest | null> =>
  ctx.database.transaction(async ({ query }) => {
    const at = ctx.now()
    const { cloud, id, projectId, input, flavorName } = work
    const earlier = await beginRequest(query, id, { projectId, at })
    if (earlier !== null) return earlier
    const { name, image, network, keyPair, securityGroups } = input
    await writeAudit(query, {
      at,
      actor: ctx.actor,
      cloud: cloud.name,
      action: 'server.request',
      subject: `server:${name}`,
      before: null,
      after: { project: projectId, flavor: flavorName, image, network, keyPair, securityGroups },
    })
    return null
  })

const recordOutcome = (ctx: ServiceContext, { cloud, id, projectId, input }: Work, outcome: Outcome) =>
  ctx.database.transaction(async ({ query }) => {
    await endRequest(query, id, outcome)
    await writeAudit(query, {
      at: ctx.now(),
      actor: ctx.actor,
      cloud: cloud.name,
      action: ENDS[outcome.state],
      subject: `server:${input.name}`,
      before: null,
      after: { project: projectId, uuid: outcome.serverUuid, message: outcome.message },
    })
  })

/**
 * Creates a server in the caller's project, through Nova and with the caller's own token. The request is recorded before it is
 * sent, so that a second click or a repeated request creates no second server.
 */
export const createServer = async (
  ctx: ServiceContext,
  { body }: { body: CreateServer },
): Promise<CreatedServer> => {
  requirePermission(ctx, 'server.create')
  const member = requireProject(ctx)
  const input = parseInput(createServerSchema, body)
  const { userId, scope } = member
  const cloud = await findCloud(ctx, { cloud: member.cloud })
  const { flavor } = ownFlavor(ctx, cloud, { id: input.flavor, projectId: scope.id })
  limitReads(member)
  const nova = createNova({ account: await ownOpenStack(ctx, member) })
  await checkNova(ctx, nova)
  const id = { cloudId: cloud.id, userId, key: input.requestKey }
  const work: Work = { cloud, id, projectId: scope.id, input, flavorName: flavor.name }
  const earlier = await recordRequest(ctx, work)
  if (earlier !== null) return answerAgain(earlier, { name: input.name, at: ctx.now() })
  const outcome = await send(nova, input)
  await recordOutcome(ctx, work, outcome)
  return answerAgain({ ...outcome, madeAt: ctx.now() }, { name: input.name, at: ctx.now() })
}
