/**
 * Fields that identify an object in several sources, or whose value the console interprets. A strange value in a single place
 * would make planning impossible, so each value is replaced everywhere at the same time.
 */
const JOINED: readonly RegExp[] = [
  /^inventory\.host\.(name|allowedCommands|novaCompute)/,
  /^inventory\.vgpuTypes\[\]/,
  /^inventory\.(mdevs|guests)\[\]\.(uuid|parent|typeId|mdevs|pciDevices|numa)/,
  /^inventory\.mdevs\[\]\.definition\.typeId$/,
  /^inventory\.gpus\[\]\.(driver|iommuGroupDevices\[\]\.driver|virtualFunctions\[\]\.driver)$/,
  /vendorVfio/,
  /novaConfig|novaApi/,
  /^inventory\.problems\[\]\.source$/,
  /^nova\.(version|hypervisors|migrations|services)\./,
  /^nova\.server\.(id|tenant_id|status|metadata|OS-EXT-SRV-ATTR|flavor\.extra_specs|flavor\.original_name)/,
  /^nova\.flavor\.(id|extra_specs)/,
  /^nova\.aggregate\.(uuid|hosts|metadata)/,
  /^placement\./,
  /^keystone\.(token|project\.(id|domain_id)|limit|registered|model|version|projects\.)/,
  /^(error)\./,
]

/** Free text of services and hypervisors, as an exception to the rules above. */
const FREE = /\.(disabled_reason|zone|host_ip)$/

export const isJoined = (path: string): boolean => !FREE.test(path) && JOINED.some((rule) => rule.test(path))
