import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'
import type { CreateWebhook } from '@/lib/schemas/api/webhook-inputs'
import type { WebhookEvent } from '@/lib/schemas/webhook/webhook-event'
import type { Actor, ServiceContext } from '@/lib/server/context/service-context'
import type { WebhookMeans } from '@/lib/server/context/webhook-means'
import { anyRow } from '@/lib/server/testing/any-row'
import { createServiceWorld, NOW } from '@/lib/services/testing/service-world'
import { queueEvent } from '@/lib/services/webhook-outbox/queue-event'
import { createWebhook } from '../create-webhook'
import { deliverNext, listDueWebhooks } from '../start-webhook-deliveries'

type Call = { headers: IncomingHttpHeaders; body: string }
type Answer = number | { status: number; headers: Record<string, string> } | ((res: ServerResponse) => void)

/** A real receiver on the loopback address; the last answer is repeated. */
const openReceiver = async (answers: readonly Answer[]) => {
  const calls: Call[] = []
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const part of req) body += part
    calls.push({ headers: req.headers, body })
    const answer = answers[Math.min(calls.length, answers.length) - 1] ?? 200
    if (typeof answer === 'function') answer(res)
    else if (typeof answer === 'number') res.writeHead(answer).end()
    else res.writeHead(answer.status, answer.headers).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    calls,
    address: `http://127.0.0.1:${port}/hook/s3cret-path`,
    /** The ids of the messages, in the order of their arrival. */
    ids: () => calls.map(({ headers }) => headers['sliceboard-id']),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/** A database, a clock that is set by hand, and receivers that may be called. */
export const createWebhookWorld = () => {
  const world = createServiceWorld()
  const receivers: Receiver[] = []
  let clock = NOW
  afterEach(() => {
    for (const receiver of receivers.splice(0)) receiver.close()
    clock = NOW
  })
  const ctx = (actor?: Actor, means: Partial<WebhookMeans> = {}): ServiceContext => {
    const base = world.ctx(actor)
    const named = [{ host: '127.0.0.1', port: null, isPlain: true }]
    return { ...base, now: () => clock, webhooks: { ...base.webhooks, named, ...means } }
  }
  return {
    ...world,
    ctx,
    later: (seconds: number) => {
      clock = new Date(clock.getTime() + seconds * 1000)
    },
    receive: async (...answers: Answer[]): Promise<Receiver> => {
      const receiver = await openReceiver(answers)
      receivers.push(receiver)
      return receiver
    },
    add: (cloud: string, changes: Partial<CreateWebhook> & { address: string }) =>
      createWebhook(ctx(), {
        body: {
          cloud,
          name: 'on call',
          form: 'json',
          findingSeverity: 'warning',
          wantsExhaustion: true,
          wantsChanges: true,
          wantsFreeFlavors: false,
          ...changes,
        },
      }),
    /** Queues a message with this title. */
    queue: (webhookId: number, title: string) => {
      const event: WebhookEvent = {
        event: 'change.finished',
        at: clock.toISOString(),
        cloud: 'paris',
        change: { id: 7, kind: 'traits', title, state: 'done', by: 'user:anna@Default', reason: null },
      }
      return world.database().transaction(({ query }) => queueEvent(query, { webhookId, event, at: clock }))
    },
    /** What the worker does for one webhook until nothing is due; the rests are the shortest that may be. */
    deliver: async (webhookId: number, context = ctx({ kind: 'system' })) => {
      while (await deliverNext(context, { webhookId, random: () => 0 }));
    },
    due: () => listDueWebhooks(ctx({ kind: 'system' })),
    rows: (webhookId: number) =>
      world.database().query(
        `SELECT state, tries, failure, answered_status AS status, event FROM webhook_delivery
           WHERE webhook_id = $1 ORDER BY id`,
        [webhookId],
        anyRow<{
          state: string
          tries: number
          failure: string | null
          status: number | null
          event: WebhookEvent
        }>(),
      ),
    audited: async () => {
      const rows = await world
        .database()
        .query(
          `SELECT action, actor, before, after FROM audit_entry WHERE action LIKE 'webhook.%' ORDER BY id`,
          [],
          anyRow<{ action: string; actor: string; before: unknown; after: unknown }>(),
        )
      return rows
    },
  }
}
