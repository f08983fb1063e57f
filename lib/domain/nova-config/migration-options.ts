import type { NovaConfig, NovaOption } from '@/lib/schemas/agent/inventory'
import { effectiveOptions } from './effective-options'
import { pythonInt } from './python-values'

type MigrationRule = {
  name: string
  byDefault: number
  /** Nova refuses a smaller value. */
  min: number
  /** For vGPUs, whose memory changes too fast for the default. */
  advised: number
  isAdvised: (value: number) => boolean
}

/**
 * Options of `[libvirt]`, the same in every release since 26. Sources: nova/conf/libvirt.py; doc/source/admin/virtual-gpu.rst,
 * Caveats; for the timeout "How can I give virtual GPU resources to my end users seamlessly?", OpenInfra Day France 2024.
 */
const RULES: readonly MigrationRule[] = [
  {
    name: 'live_migration_downtime',
    byDefault: 500,
    min: 100,
    advised: 500_000,
    isAdvised: (value) => value >= 500_000,
  },
  {
    name: 'live_migration_downtime_steps',
    byDefault: 10,
    min: 3,
    advised: 3,
    isAdvised: (value) => value <= 3,
  },
  {
    name: 'live_migration_downtime_delay',
    byDefault: 75,
    min: 3,
    advised: 3,
    isAdvised: (value) => value <= 3,
  },
  {
    name: 'live_migration_completion_timeout',
    byDefault: 800,
    min: 0,
    advised: 0,
    isAdvised: (value) => value === 0,
  },
]

/** An option of `[libvirt]` for live migrations, as nova-compute has it. */
export type MigrationOption = MigrationRule & {
  /** Null: Nova refuses the value. */
  value: number | null
  /** Null: nova.conf does not set it. */
  option: NovaOption | null
}

/** The value that Nova takes of a text; an empty one is the default. Null: Nova refuses it. */
const takenValue = (text: string, { byDefault, min }: MigrationRule): number | null => {
  if (text === '') return byDefault
  const value = pythonInt(text)
  return value === null || value < min ? null : value
}

/** The options on which live migrations of vGPUs depend. */
export const readMigrationOptions = (config: NovaConfig): MigrationOption[] =>
  RULES.map((rule) => {
    const found = effectiveOptions(config).find(
      ({ present, isEffective }) =>
        isEffective && present.section === 'libvirt' && present.name === rule.name,
    )
    const option = found?.option ?? null
    return { ...rule, option, value: takenValue(option?.value ?? '', rule) }
  })
