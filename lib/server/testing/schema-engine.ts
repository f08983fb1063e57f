import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'

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

/** Prisma's own schema engine on a driver adapter: for making migrations and for checking ours against it. */
export const createSchemaEngine = async ({
  schema,
  adapterFactory,
}: {
  schema: string
  adapterFactory: AdapterFactory
}): Promise<SchemaEngine> => {
  loaded ??= loadEngine()
  const Engine = await loaded
  return Engine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapterFactory),
  )
}

export const NO_FILTERS = { externalTables: [], externalEnums: [] }
