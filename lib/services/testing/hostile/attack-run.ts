import type { $ZodType } from 'zod/v4/core'
import type { FleetFacts } from '@/lib/domain/cloud/fleet-types'
import { type Attack, attacked, openEdges, substitution } from './attack'
import { heldCloud, orphanCloud, slicedCloud, vendorVfioCloud, wholeCardCloud } from './base-clouds'
import { checkOutputs, type Effect } from './check-outputs'
import { createHostileSource, MARKER, WAYS } from './hostile-text'
import { isJoined } from './joined-fields'
import { type Output, outputsOf } from './outputs'
import { type CloudServer, serveClouds } from './read-hostile'
import type { Sandbox, ShellName } from './sandbox'
import type { Failures } from './serve-facts'
import { UNRENDERED } from './unrendered-fields'

const NEVER = new Set(Object.values(UNRENDERED).flat())

/** A field that appears in no output is attacked in so many turns. */
const MAX_TURNS = 6

const CLOUDS = [slicedCloud, orphanCloud, heldCloud, wholeCardCloud, vendorVfioCloud]

export type AttackRun = {
  fields: ReadonlyMap<string, readonly $ZodType[]>
  effects: (Effect & { field: string })[]
  /** Number of attacks per field, and of outputs and refusals in which an attack appears. */
  sent: Map<string, number>
  rendered: Map<string, number>
  worlds: number
}

type RunInput = {
  seed: number
  sandbox: Sandbox
  /** What services answer about a cloud that was read into a database. */
  services: (input: FleetFacts, server: CloudServer) => Promise<Output[]>
  /** The first value of each joined field is attacked, and in addition one in so many of the others. */
  share: number
}

type World = {
  cloud: FleetFacts
  attack: Attack
  shell: ShellName
  hasServices: boolean
  failures?: Failures
}

const add = (counts: Map<string, number>, key: string, by = 1) => counts.set(key, (counts.get(key) ?? 0) + by)

const accepts = (schema: $ZodType, text: string): boolean =>
  (schema as unknown as { safeParse: (value: string) => { success: boolean } }).safeParse(text).success

/** Fields whose grammar takes none of the ways: what attacks them is refused where it arrives. */
export const isClosed = (schemas: readonly $ZodType[]): boolean =>
  WAYS.every((way) => schemas.every((schema) => !accepts(schema, way('qz00000'))))

export const runAttacks = async ({ seed, sandbox, services, share }: RunInput): Promise<AttackRun> => {
  const edges = await openEdges()
  const server = await serveClouds(edges)
  const source = createHostileSource(seed)
  const run: AttackRun = {
    fields: edges.fields,
    effects: [],
    sent: new Map(),
    rendered: new Map(),
    worlds: 0,
  }
  /** Fields that one text attacks at once, because they name the same thing. */
  const sharers = new Map<string, readonly string[]>()
  const fieldsOf = (marker: string): readonly string[] => {
    const field = source.byMarker().get(marker.toLowerCase())?.field
    return field === undefined ? [] : (sharers.get(field) ?? [field])
  }

  const play = async ({ cloud, attack, shell, hasServices, failures }: World) => {
    run.worlds += 1
    edges.use(attack)
    const { input, refusals } = await server.read(attacked(cloud, attack), failures)
    const outputs = outputsOf(input)
    if (hasServices)
      outputs.push(...(await services(attacked({ ...cloud, hosts: input.hosts }, attack), server)))
    edges.use(null)
    for (const text of [...outputs.map((output) => output.text), ...refusals])
      for (const [marker] of text.matchAll(MARKER))
        for (const field of fieldsOf(marker)) add(run.rendered, field)
    const isHostile = (text: string) => text.search(MARKER) !== -1
    for (const effect of await checkOutputs(outputs, { sandbox, shells: [shell], isHostile })) {
      const [marker = ''] = effect.what.match(MARKER) ?? []
      run.effects.push({ ...effect, field: fieldsOf(marker).join(' = ') })
    }
  }

  const baseAttack = (): Attack => ({
    replace: (path, _, schema) => {
      if (isJoined(path)) return undefined
      const { text, isAccepted } = source.attack(path, schema)
      add(run.sent, path)
      // A report that contains NUL is refused; check-shape.ts has a separate test.
      return isAccepted && !(/^(inventory|report)/.test(path) && text.includes('\0')) ? text : undefined
    },
  })

  /** One value in all its places. */
  const replaced = (value: string, fields: readonly string[], turn: number) => {
    const key = fields.join(' = ')
    sharers.set(key, fields)
    for (const field of fields) add(run.sent, field)
    // A report with a NUL is refused as a whole.
    const isReported = fields.some((field) => /^(inventory|report)/.test(field))
    const { text } = source.way(
      key,
      isReported && (WAYS[turn % WAYS.length]?.('') ?? '').includes('\0') ? turn + 1 : turn,
    )
    return substitution(value, turn % 2 === 0 ? text : `${value}${text}`)
  }

  const errors = (): Failures => {
    const [compute, placement] = ['error.wrapped.message', 'error.placement.errors[].detail'].map(
      (path, at) => {
        add(run.sent, path)
        return source.way(path, seed + at).text
      },
    )
    return {
      compute: { badRequest: { code: 400, message: compute } },
      placement: { errors: [{ detail: placement }] },
    }
  }

  const showLeftIn: ((turn: number) => Promise<void>)[] = []
  try {
    for (const [at, build] of CLOUDS.entries()) {
      const cloud = build()
      edges.seen()
      const { input } = await server.read(cloud)
      await services(cloud, server)
      const values = [...edges.seen()].map(([value, paths]) => ({
        value,
        joined: [...paths].filter((path) => isJoined(path) && !isClosed(edges.fields.get(path) ?? [])),
      }))
      sandbox.nameProviders(
        new Map((input.facts.providers.value ?? []).map(({ uuid, name }) => [uuid, name])),
      )
      await play({ cloud, attack: baseAttack(), shell: 'dash', hasServices: true })
      await play({ cloud, attack: baseAttack(), shell: 'bash', hasServices: false })
      for (const [index, { value, joined }] of values.entries()) {
        const isNew = joined.some((path) => !run.sent.has(path))
        if (joined.length === 0 || (!isNew && (index + seed) % share !== at % share)) continue
        const substitute = replaced(value, joined, index + seed)
        const shell = index % 2 === 0 ? 'dash' : 'bash'
        await play({ cloud, attack: { substitute }, shell, hasServices: false })
      }
      // What planning did not show, a page may.
      const showLeft = async (turn: number): Promise<void> => {
        const left = values.filter(({ joined }) =>
          joined.some((path) => !run.rendered.has(path) && !NEVER.has(path)),
        )
        if (left.length === 0) return
        const substitutes = left.map(({ value, joined }, index) =>
          replaced(value, joined, seed + 7 * turn + index),
        )
        const substitute = (text: string) =>
          substitutes.map((each) => each(text)).find((each) => each !== text) ?? text
        await play({ cloud, attack: { substitute }, shell: 'dash', hasServices: true })
      }
      for (let turn = 0; turn < 2; turn += 1) await showLeft(turn)
      showLeftIn.push(showLeft)
      if (at === 0)
        await play({ cloud, attack: baseAttack(), shell: 'dash', hasServices: false, failures: errors() })
    }
    // Some texts are refused or cut before an output: a field that no cloud showed is attacked with others.
    for (let turn = 2; turn < MAX_TURNS; turn += 1) for (const showLeft of showLeftIn) await showLeft(turn)
  } finally {
    edges.close()
    await server.stop()
  }
  return run
}
