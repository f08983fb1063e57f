import { listText } from '@/lib/domain/wording'
import type { NovaOption } from '@/lib/schemas/agent/inventory'
import { formatNoun } from '@/lib/util/format'
import type { Detector, HostDetector } from './detector'

/** All options of [devices] and of a type's group (nova/conf/devices.py), old names included. */
const OF_DEVICES = new Set(['enabled_mdev_types', 'enabled_vgpu_types'])
const OF_TYPES = new Set(['device_addresses', 'mdev_class', 'max_instances'])

/** Names that are meant for vGPUs, in a section that has no such option. */
const VGPU_NAME = /^(enabled_)?(vgpu|mdev)/

/** Meant for a type: `[mdev-nvidia-35]`, `[vgpu nvidia-35]`, `[nvidia-35]`. */
const MISSPELLED_SECTION = /^(mdev|vgpu)[-. ]|^nvidia-\d/

const isUnknown = ({ section, name }: NovaOption): boolean => {
  const key = section.toLowerCase()
  if (MISSPELLED_SECTION.test(key)) return true
  if (key === 'devices') return !OF_DEVICES.has(name)
  if (/^(mdev|vgpu)_./.test(key)) return !OF_TYPES.has(name)
  return VGPU_NAME.test(name)
}

/** Options for vGPUs that Nova does not have: oslo.config ignores what it does not know. */
const detect: Detector = ({ inventory }) => {
  const unknown = (inventory.novaConfig?.options ?? []).filter(isUnknown)
  if (unknown.length === 0) return []
  const names = unknown.map(({ section, name }) => `[${section}] ${name}`)
  const lines = unknown.map(({ file, line, name }) => `${file}:${line} ${name}`)
  return [
    {
      code: 'unknown-options',
      severity: 'warning',
      sentence: `nova.conf has ${formatNoun(unknown.length, 'option')} for vGPUs that Nova does not have: ${listText([...new Set(names)])}`,
      detail: `${listText(lines)}. Nova ignores them without an error. Addresses and resource class of a type belong in [mdev_TYPE] as device_addresses and mdev_class, and the type in [devices] enabled_mdev_types.`,
      pgpuAddress: null,
    },
  ]
}

export const unknownOptions: HostDetector = {
  findings: {
    'unknown-options': {
      title: 'Options for vGPUs that Nova does not have',
      severities: ['warning'],
      detection: 'nova.conf: a section sets an option for vGPUs that Nova does not have.',
      consequence: 'Nova ignores the lines without an error, and the cards get another type or class.',
      nextStep: 'Use device_addresses and mdev_class in [mdev_TYPE], or remove the lines.',
      source: 'nova.conf',
    },
  },
  detect,
}
