import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type $ZodType, safeParse } from 'zod/v4/core'
import { damaged, sampleOf } from './testing/sample-of'

type Twin = { safeParse: (schema: unknown, value: unknown) => { success: boolean; data?: unknown } }
type Modules = Record<string, Record<string, unknown>>

const folder = join(import.meta.dirname, 'api')
let made: string
let twins: Modules
let originals: Modules
let twin: Twin

const schemaFiles = async (): Promise<string[]> => {
  const names = await readdir(folder)
  return names.filter((name) => /^[a-z-]+\.ts$/.test(name) && !/-inputs?\.ts$|^session-params/.test(name))
}

/** The schemas as the browser has them: the same files with the twin in zod's place. */
beforeAll(async () => {
  const names = await schemaFiles()
  made = await mkdtemp(join(tmpdir(), 'browser-mini-'))
  const outfile = join(made, 'schemas.mjs')
  const { outputFiles } = await build({
    stdin: {
      contents: [
        ...names.map((name, at) => `export * as m${at} from './api/${name.slice(0, -3)}'`),
        "export * as twin from './browser-mini'",
      ].join('\n'),
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    alias: {
      '@/lib/schemas/mini': join(import.meta.dirname, 'browser-mini.ts'),
      '@': join(import.meta.dirname, '..', '..'),
    },
  })
  await writeFile(outfile, outputFiles[0]?.text ?? '')
  const bundle: Modules = await import(/* @vite-ignore */ pathToFileURL(outfile).href)
  twins = Object.fromEntries(names.map((name, at) => [name, bundle[`m${at}`] ?? {}]))
  twin = bundle.twin as Twin
  originals = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await import(join(folder, name))] as const)),
  )
}, 60_000)

afterAll(() => rm(made, { recursive: true, force: true }))

const isTwin = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'read' in value && 'check' in value

/** Every schema of a DTO, as zod's and as the twin's. */
const pairs = (): { name: string; original: $ZodType; own: unknown }[] =>
  Object.entries(twins).flatMap(([file, exported]) =>
    Object.entries(exported)
      .filter(([, own]) => isTwin(own))
      .map(([name, own]) => ({
        name: `${file} ${name}`,
        original: originals[file]?.[name] as $ZodType,
        own,
      })),
  )

const verdicts = (value: unknown, { original, own }: ReturnType<typeof pairs>[number]) => {
  const ofZod = safeParse(original, value)
  return {
    ofZod: ofZod.success ? ofZod.data : 'refused',
    ofTwin: twin.safeParse(own, value).data ?? 'refused',
  }
}

test('the twin has each name that zod has for the schemas', async () => {
  const mini = await import('./mini')
  const own: Record<string, unknown> = await import('./browser-mini')
  expect(Object.keys(mini).filter((name) => own[name] === undefined)).toEqual([])
})

/** `name of file` for each schema that a file of lib/api takes from lib/schemas/api. */
const requestedFiles = async (): Promise<[name: string, file: string][]> => {
  const clients = join(import.meta.dirname, '..', 'api')
  const names = await readdir(clients, { recursive: true })
  const texts = await Promise.all(
    names
      .filter((name) => /\.ts$/.test(name) && !name.endsWith('.test.ts'))
      .map((name) => readFile(join(clients, name), 'utf8')),
  )
  return texts
    .flatMap((text) => [...text.matchAll(/import \{([^}]*)\} from '@\/lib\/schemas\/api\/([a-z-]+)'/g)])
    .flatMap(([, imported = '', file = '']) =>
      [...imported.matchAll(/\w+Schema\b/g)].map(([name]): [string, string] => [name, `${file}.ts`]),
    )
}

test('each schema that the pages ask with is one that the twin can check', async () => {
  const requested = await requestedFiles()
  expect(requested.length).toBeGreaterThan(60)
  expect(requested.filter(([name, file]) => !isTwin(twins[file]?.[name]))).toEqual([])
})

/** Where the two differ, in words. */
const differences = (values: (original: $ZodType) => unknown[]): { refused: number; found: string[] } => {
  let refused = 0
  const found: string[] = []
  for (const pair of pairs()) {
    for (const value of values(pair.original)) {
      const { ofZod, ofTwin } = verdicts(value, pair)
      if (ofZod === 'refused') refused += 1
      if (!isDeepStrictEqual(ofTwin, ofZod))
        found.push(`${pair.name}: zod ${JSON.stringify(ofZod)}, twin ${JSON.stringify(ofTwin)}`)
    }
  }
  return { refused, found }
}

const samples = (original: $ZodType, count: number): unknown[] =>
  Array.from({ length: count }, (_, seed) => sampleOf(original, seed))

test('valid answers are taken over as zod takes them over', () => {
  expect(pairs().length).toBeGreaterThan(60)
  expect(differences((original) => samples(original, 6))).toEqual({ refused: 0, found: [] })
})

test('damaged answers get the verdict that zod gives', () => {
  const { refused, found } = differences((original) => samples(original, 30).map(damaged))
  expect(found).toEqual([])
  expect(refused).toBeGreaterThan(1000)
})
