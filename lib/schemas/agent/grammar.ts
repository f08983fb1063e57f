/**
 * The form of a value, with the rule as text. A pattern matches the whole value; none allows control characters or
 * quotes.
 */
export type Grammar = { pattern: RegExp; rule: string }

/**
 * The forms of values that reach scripts, commands, paths, files and API calls. The console checks them where values
 * enter and before a plan uses them; the agent checks them again before it executes a command.
 */
export const GRAMMARS = {
  /** Canonical sysfs name of a PCI device (drivers/pci/probe.c pci_setup_device). */
  pciAddress: {
    pattern: /^[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/,
    rule: 'must be a PCI address with a 4-digit domain, like 0000:18:00.0',
  },
  /** RFC 9562 text form in lower case. */
  uuid: { pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, rule: 'must be a uuid' },
  /** Directory in `mdev_supported_types`: driver, dash, name of the type (drivers/vfio/mdev/mdev_sysfs.c). */
  vgpuTypeId: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/,
    rule: 'must be the id of a vGPU type, like nvidia-222',
  },
  /** sysfs name of an mdev parent: a PCI address, a channel of a mainframe (`0.0.26ab`), or a name such as `mtty`. */
  mdevParent: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}$/,
    rule: 'must be a PCI address or the sysfs name of an mdev parent',
  },
  /** Directory in /sys/bus/pci/drivers, which is also the module's name up to dashes (drivers/base/driver.c). */
  driver: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/,
    rule: 'must be the name of a driver, like vfio-pci',
  },
  /** nova/virt/hardware.py parse_cpu_spec; the kernel's lists are a part of it. */
  cpuSet: {
    pattern: /^ ?\^?\d{1,4}(-\d{1,4})?( ?, ?\^?\d{1,4}(-\d{1,4})?){0,999} ?$/,
    rule: 'must be a list of CPUs, like 0-11,^4,24-35',
  },
  /** placement/schemas/resource_class.py. */
  resourceClass: {
    pattern: /^[A-Z0-9_]{1,255}$/,
    rule: 'must be a resource class of capitals, digits and underscores',
  },
  /** nova/conf/devices.py: mdev_class takes VGPU and custom classes. */
  mdevClass: {
    pattern: /^(VGPU|CUSTOM_[A-Z0-9_]{1,248})$/,
    rule: 'must be VGPU, or CUSTOM_ with capitals, digits and underscores',
  },
  /** placement/schemas/trait.py. */
  trait: {
    pattern: /^[A-Z0-9_]{1,255}$/,
    rule: 'must be a trait of capitals, digits and underscores',
  },
  /** os_traits.CUSTOM_NAMESPACE; nova/compute/provider_config.py takes custom traits alone. */
  customTrait: {
    pattern: /^CUSTOM_[A-Z0-9_]{1,248}$/,
    rule: 'must begin with CUSTOM_ and have capitals, digits and underscores only',
  },
  /** `name` of [pci] alias. Nova takes 1 to 256 characters (nova/pci/request.py); a flavor names it in a list `NAME:COUNT,…`. */
  alias: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.+()/@ -]{0,254}$/,
    rule: 'must have letters, digits, blanks and the characters _ . + ( ) / @ - only',
  },
  /** oslo_config/cfg.py: an option is a Python identifier. */
  optionName: {
    pattern: /^[A-Za-z_][A-Za-z0-9_]{0,254}$/,
    rule: 'must be the name of an option: letters, digits and underscores',
  },
  /** nova/api/validation/extra_specs: keys of flavors. */
  extraSpecKey: {
    pattern: /^[a-zA-Z0-9\-_:. ]{1,255}$/,
    rule: 'must have letters, digits, colons, dots, blanks, dashes and underscores only',
  },
  /** nova/api/openstack/compute/schemas/flavors.py: id of a flavor. */
  flavorId: {
    pattern: /^[a-zA-Z0-9._-]([a-zA-Z0-9. _-]{0,253}[a-zA-Z0-9._-])?$/,
    rule: 'must be the id of a flavor: letters, digits, dots, blanks, dashes and underscores',
  },
  /** Ids that services assign: uuids with and without dashes, and older ones such as `default`. */
  plainId: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$/,
    rule: 'must be an id of letters, digits, dots, dashes and underscores',
  },
  /** nova/limit/placement.py: what Nova counts itself, and each resource class. */
  limitName: {
    pattern: /^(?:class:[A-Z0-9_]{1,200}|server[a-z_]{1,50})$/,
    rule: 'must be servers, or class: and a resource class',
  },
  /** File in the drop-in folder of nova.conf. */
  dropInName: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9_.-]{0,120}\.conf$/,
    rule: 'must be a plain file name with .conf',
  },
  /** Absolute path without links to parents, as deployment tools make them. */
  path: {
    pattern: /^(?!.*\/\.{1,2}(?:\/|$))(\/[A-Za-z0-9_.:@%+=,~-]{1,255}){1,64}\/?$/,
    rule: 'must be an absolute path of letters, digits and the characters _ . : @ % + = , ~ -',
  },
} as const satisfies Readonly<Record<string, Grammar>>

export type GrammarName = keyof typeof GRAMMARS

/** Whether a value has the form of its grammar. */
export const isWellFormed = (name: GrammarName, value: string): boolean => GRAMMARS[name].pattern.test(value)
