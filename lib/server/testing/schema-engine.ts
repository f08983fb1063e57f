import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import { rootDirectory } from '@/lib/server/settings/root-directory'

type AdapterFactory = Parameters<typeof bindMigrationAwareSqlAdapterFactory>[0]
type EngineBindings = {
  __wbg_set_wasm: (exports: WebAssembly.Exports) => void
  SchemaEngine: typeof SchemaEngine
}

const require = createRequire(import.meta.url)

// Node does not import .wasm files, so the package's entry cannot be used; this is what a bundler makes of it.
// Once a process: the bindings keep the instance in a variable of their module.
let loaded: Promise<typeof SchemaEngine> | undefined

const loadEngine = async (): Promise<typeof SchemaEngine> => {
  const entry = require.resolve('@prisma/schema-engine-wasm')
  const bytes = await readFile(entry.replace(/schema_engine\.js$/, 'schema_engine_bg.wasm'))
  const { instance } = await WebAssembly.instantiate(bytes, {
    './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports,
  })
  const engine = bindings as unknown as EngineBindings
  engine.__wbg_set_wasm(instance.exports)
  const start = instance.exports.__wbindgen_start
  if (typeof start === 'function') start()
  return engine.SchemaEngine
}

type SchemaFile = { path: string; content: string }

const readSchema = async (): Promise<SchemaFile[]> => {
  const folder = join(rootDirectory(), 'prisma', 'schema')
  const names = await readdir(folder)
  return Promise.all(
    names.map(async (path) => ({ path, content: await readFile(join(folder, path), 'utf8') })),
  )
}

/** Prisma's own schema engine on a driver adapter: for making migrations and for checking ours against it. */
export const createSchemaEngine = async (adapterFactory: AdapterFactory): Promise<SchemaEngine> => {
  loaded ??= loadEngine()
  const [Engine, files] = [await loaded, await readSchema()]
  return Engine.new(
    { datamodels: files.map(({ path, content }) => [path, content]) },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapterFactory),
  )
}

/** The SQL that the engine's database still lacks of prisma/schema; null where it lacks nothing. */
export const missingSql = async (engine: SchemaEngine): Promise<string | null> => {
  const files = await readSchema()
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: rootDirectory() },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters: NO_FILTERS,
  })
  return !stdout || stdout.startsWith('-- This is an empty migration') ? null : stdout
}

export const NO_FILTERS = { externalTables: [], externalEnums: [] }
