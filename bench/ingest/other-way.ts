/**
 * Process entry: other ways to take the same reports over node:http, on a free port. Its one argument is JSON. `parse`: only
 * parses them. `prisma`: parses them and writes the present rows that such a report changes, each by Prisma's model API, in
 * one transaction for each report. It does not authenticate, reads no inventory and writes no history.
 */
import { createServer, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type Database, openDatabase } from '@/lib/server/database/database'
import { hostNameOf } from './credentials'

type Settings = {
  way: 'parse' | 'prisma'
  databaseUrl: string | null
  dataDirectory: string | null
  hosts: number
}
type Body = { position: { boot: number; sequence: number }; digest: string; takenAt: string }

const settings = JSON.parse(process.argv[2] ?? '{}') as Settings
const CARDS = 8
/** More connections than the pool has wait for their turn. */
const PATIENCE = { maxWait: 60_000, timeout: 60_000 }

const readBody = async (req: IncomingMessage): Promise<{ body: Body; bytes: Buffer<ArrayBuffer> }> => {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  const text = req.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
  return { body: JSON.parse(text.toString()) as Body, bytes }
}

const addressOf = (card: number): string => `0000:${String(card).padStart(2, '0')}:00.0`
const uuidOf = (host: number, card: number): string =>
  `${String(host).padStart(8, '0')}-0000-4000-8000-${String(card).padStart(12, '0')}`

const seed = async ({ prisma }: Database): Promise<number[]> => {
  const cloud = await prisma.cloud.create({ data: { name: 'bench' } })
  const indexes = Array.from({ length: settings.hosts }, (_, index) => index)
  await prisma.host.createMany({
    data: indexes.map((index) => ({ cloudId: cloud.id, name: hostNameOf(index), enrolment: 1 })),
  })
  const ids = (await prisma.host.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
  const cards = ids.flatMap((hostId) => Array.from({ length: CARDS }, (_, card) => ({ hostId, card })))
  await prisma.pgpu.createMany({
    data: cards.map(({ hostId, card }) => ({
      hostId,
      address: addressOf(card),
      model: 'T4',
      framework: 'mdev',
    })),
  })
  return ids
}

/** One pGPU, one guest with its holding, the report, and the host itself. */
const write = async (
  { prisma }: Database,
  hostId: number,
  { body, bytes }: Awaited<ReturnType<typeof readBody>>,
): Promise<void> => {
  const { boot, sequence } = body.position
  const card = Math.floor(sequence / 2) % CARDS
  const isGone = sequence % 2 === 1
  const [address, uuid] = [addressOf(card), uuidOf(hostId, card)]
  const guest = { name: 'instance-00000001', serverName: 'vdi-1', pgpuAddresses: [address] }
  const holding = { name: 'vdi-1', addresses: [address], typeIds: ['nvidia-319'] }
  const byUuid = { hostId_uuid: { hostId, uuid } }
  await prisma.$transaction(async (tx) => {
    const now = new Date()
    await tx.host.update({
      where: { id: hostId },
      data: { boot, sequence, digest: body.digest, takenAt: body.takenAt, reportedAt: now, seenAt: now },
    })
    await tx.hostInventory.upsert({
      where: { hostId },
      create: { hostId, body: bytes },
      update: { body: bytes },
    })
    await tx.pgpu.update({
      where: { hostId_address: { hostId, address } },
      data: { used: isGone ? 1 : 2, spare: isGone ? 1 : 0 },
    })
    if (isGone) {
      await tx.guest.deleteMany({ where: { hostId, uuid } })
      await tx.guestHolding.deleteMany({ where: { hostId, uuid } })
    } else {
      await tx.guest.upsert({ where: byUuid, create: { hostId, uuid, ...guest }, update: guest })
      await tx.guestHolding.upsert({ where: byUuid, create: { hostId, uuid, ...holding }, update: holding })
    }
  }, PATIENCE)
}

const database = settings.way === 'prisma' ? await openDatabase(settings) : null
const ids = database === null ? [] : await seed(database)
const server = createServer(async (req, res) => {
  const read = await readBody(req)
  const index = Number(/sbac_(\d+)_/.exec(req.headers.authorization ?? '')?.[1]) - 1
  const hostId = ids[index]
  if (database !== null && hostId !== undefined) await write(database, hostId, read)
  const text = JSON.stringify({ isApplied: true, newest: read.body.position, intervalSeconds: 30 })
  res
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
})
process.on('SIGTERM', async () => {
  server.closeAllConnections()
  await database?.close()
  process.exit(0)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`listens on ${typeof address === 'object' ? address?.port : ''}\n`)
})
