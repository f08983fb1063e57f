import type { RuleType } from '@/simulator/gpu-rules/gpu-state'
import type { DriverType } from '@/simulator/host-tree/host-spec'

/** A vGPU type with both faces: what the driver prints and what it enforces. */
export type ModelType = { driver: DriverType; rule: RuleType }

/** `1-5C` is backed by a 1g.5gb GPU instance, `1-5CME` by 1g.5gb+me; `4C` by none. */
const migProfile = (suffix: string): string | null => {
  const match = /^(\d)-(\d+)[ABCQ](ME)?$/.exec(suffix)
  return match === null ? null : `${match[1]}g.${match[2]}gb${match[3] === undefined ? '' : '+me'}`
}

const parseRow = (prefix: string, row: string): ModelType => {
  const [id = '', suffix = '', framebuffer, max, heads, resolution, frameRate] = row.split(' ')
  const typeId = `nvidia-${id}`
  return {
    driver: {
      typeId,
      name: `${prefix}-${suffix}`,
      description:
        `num_heads=${heads}, frl_config=${frameRate}, framebuffer=${framebuffer}M, ` +
        `max_resolution=${resolution}, max_instance=${max}`,
    },
    rule: {
      typeId,
      framebufferMib: Number(framebuffer),
      maxInstance: Number(max),
      migProfile: migProfile(suffix),
    },
  }
}

/** Rows of `id suffix framebufferMib maxInstance heads resolution frameRate`. */
export const typeTable = (prefix: string, rows: string): ModelType[] =>
  rows
    .trim()
    .split('\n')
    .map((row) => parseRow(prefix, row.trim()))
