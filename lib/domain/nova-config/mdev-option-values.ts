import { pythonInt } from './python-values'

/** nova/pci/utils.py parse_address; its dot is any character. */
export const isNovaAddress = (address: string): boolean =>
  /^[\da-fA-F]{4}:[\da-fA-F]{2}:[\da-fA-F]{2}[^\n][0-7]$/.test(address)

/** oslo.config keeps blanks that are inside quotes. Source: nova/conf/devices.py. */
export const isMdevClass = (value: string): boolean =>
  /^(VGPU|CUSTOM_[A-Z0-9_]+)$/.test(value) && value.length <= 255

/** More vGPUs than any host can have, so that a higher limit is none. */
const NO_LIMIT = 1_000_000_000

/** A blank value counts as not set, as every number of oslo.config does. Source: nova/conf/devices.py; oslo_config/types.py Number. */
export const readMaxInstances = (value: string): { isValid: boolean; limit: number | null } => {
  if (value.trim() === '') return { isValid: true, limit: null }
  const limit = pythonInt(value)
  if (limit === null || limit < 1) return { isValid: false, limit: null }
  return { isValid: true, limit: limit < NO_LIMIT ? limit : null }
}
