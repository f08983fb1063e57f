import { optionSource } from '@/lib/domain/nova-config/effective-options'
import type { InvalidOption } from '@/lib/domain/nova-config/mdev-config'
import { type Detector, type HostDetector, NO_START } from './detector'

const RULES: Readonly<Record<InvalidOption['name'], string>> = {
  mdev_class: 'VGPU or CUSTOM_ with capitals, digits and underscores',
  max_instances: 'a whole number of at least 1',
}

/** Values of `[mdev_<type>]` that oslo.config refuses (nova/conf/devices.py), for the options that the release reads. */
const detect: Detector = ({ nova }) => {
  const options = new Map(
    (nova?.mdev.types ?? []).flatMap(({ invalid }) => invalid).map((one) => [one.option, one]),
  )
  return [...options.values()].map(({ name, option }) => ({
    code: 'option-invalid',
    severity: 'error',
    sentence: `${option.name} = ${option.value} in [${option.section}] is invalid; nova-compute does not start`,
    detail: `${optionSource(option)}: ${option.name} must be ${RULES[name]}. oslo.config refuses the file at the next start of nova-compute.`,
    pgpuAddress: null,
  }))
}

export const optionInvalid: HostDetector = {
  findings: {
    'option-invalid': {
      title: 'An mdev option has an invalid value; nova-compute does not start',
      severities: ['error'],
      detection: 'nova.conf: a value in the group of an enabled type is refused by oslo.config.',
      consequence: NO_START,
      nextStep: 'Set a value that oslo.config accepts.',
      source: 'nova.conf',
    },
  },
  detect,
}
