import { effectiveOptions, optionSource } from '@/lib/domain/nova-config/effective-options'
import { type Detector, type HostDetector, type LocatedFinding, NO_START } from './detector'

const RULES: Readonly<Record<string, { isValid: (value: string) => boolean; rule: string }>> = {
  mdev_class: {
    isValid: (value) => /^(VGPU|CUSTOM_[A-Z0-9_]+)$/.test(value) && value.length <= 255,
    rule: 'VGPU or CUSTOM_ with capitals, digits and underscores',
  },
  max_instances: {
    isValid: (value) => /^\d+$/.test(value) && Number(value) >= 1,
    rule: 'a whole number of at least 1',
  },
}

/** Values of `[mdev_<type>]` that oslo.config refuses (nova/conf/devices.py), for types that are enabled. */
const detect: Detector = ({ inventory, nova }) => {
  if (inventory.novaConfig === null || nova === null) return []
  const sections = new Set(nova.mdev.types.map((type) => `mdev_${type.typeId}`.toLowerCase()))
  return effectiveOptions(inventory.novaConfig).flatMap(
    ({ option, present, isEffective }): LocatedFinding[] => {
      const rule = Object.hasOwn(RULES, present.name) ? RULES[present.name] : undefined
      const value = option.value.trim()
      if (!isEffective || !sections.has(present.section) || rule === undefined || rule.isValid(value))
        return []
      return [
        {
          code: 'option-invalid',
          severity: 'error',
          sentence: `${option.name} = ${value} in [${option.section}] is invalid; nova-compute does not start`,
          detail: `${optionSource(option)}: ${option.name} must be ${rule.rule}. oslo.config refuses the file at the next start of nova-compute.`,
          pgpuAddress: null,
        },
      ]
    },
  )
}

export const optionInvalid: HostDetector = {
  findings: {
    'option-invalid': {
      title: 'An mdev option has an invalid value; nova-compute does not start',
      severities: ['error'],
      detection: 'nova.conf: a value in the group of an enabled type is refused by oslo.config.',
      consequence: NO_START,
      nextStep: 'Write a value that oslo.config takes.',
      source: 'nova.conf',
    },
  },
  detect,
}
