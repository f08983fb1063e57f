/** Every finding that needs the cloud's word, with the sentence for a group of them. */
export const CLOUD_FINDING_TITLES = {
  'agent-outdated': 'Agents are older than the console',
  'aggregate-not-mirrored': 'An aggregate is not mirrored to Placement',
  'alias-differs': 'A PCI alias stands for different devices',
  'alias-not-on-api': "A PCI alias of compute hosts is missing on Nova's API",
  'alias-without-device': 'A PCI alias takes no device',
  'allocation-without-guest': 'An allocation has no guest on its host',
  'allocation-without-server': 'An allocation has no server',
  'card-without-framework': 'An NVIDIA card can neither be sliced nor handed out',
  'clock-off': "A host's clock is off",
  'device-without-alias': 'A card is handed out and no PCI alias takes it',
  'enrollment-waiting': 'An enrollment is waiting for approval',
  'flavor-class-without-inventory': 'A flavor asks for a resource class that nothing offers',
  'flavor-first-vgpu-only': 'A flavor asks for several vGPUs and this Nova gives one',
  'flavor-group-policy-missing': 'A flavor with several groups has no group_policy',
  'flavor-lands-nowhere': 'A flavor can land on no host',
  'flavor-trait-suffix': 'A trait of a flavor stands in another group than its resource',
  'flavor-trait-unknown': 'A flavor requires a trait that no provider has',
  'flavor-value-ignored': 'Nova ignores an extra spec of a flavor',
  'host-not-joined': 'A host is not found in Nova or Placement',
  'host-silent': 'A host is silent',
  'kept-trait-taken-off': 'A trait that is to be kept was taken off',
  'last-gpu-tight': 'One more ordinary server would strand the last GPU',
  'limit-class-not-registered': 'A resource class has no registered limit',
  'limit-minus-one': 'A limit of -1 blocks everything on this release',
  'limit-model-not-flat': 'Keystone enforces a limit model that Nova cannot use',
  'limit-region-null': 'A registered limit has no region and is not found by Nova',
  'limit-sum-over-capacity': 'The limits promise more vGPUs than there are',
  'multi-create-fails': 'Creating several servers at once fails although they fit',
  'no-live-migration-target': 'Servers with vGPUs can be live-migrated nowhere',
  'pgpu-without-provider': 'A configured pGPU has no resource provider',
  'placement-class-old': 'Placement holds a pGPU under an old resource class',
  'placement-over-promises': 'Placement offers more vGPUs than fit',
  'placement-total-old': 'Placement holds a total that the hardware does not have',
  'provider-without-device': 'A resource provider has no device',
  'reboot-loses-servers': 'Servers would not come back after a reboot',
  'restart-would-fail': 'nova-compute would not start again',
  'server-without-allocation': 'A server holds a vGPU without an allocation',
  'trait-lost': 'A resource provider has lost its traits',
  'trait-names-other-type': 'A trait names another type than the card has',
  'types-not-told-apart': 'A flavor reaches vGPUs of several types',
  'vfs-without-type': 'VFs are handed out without a vGPU type',
  'vgpus-stranded': 'Free vGPUs or cards are out of reach',
} as const

export type CloudFindingCode = keyof typeof CLOUD_FINDING_TITLES

/** What takes vGPUs away that are there: nobody gets them until it is repaired. */
export const VGPUS_LOST_CODES: readonly CloudFindingCode[] = ['vgpus-stranded', 'vfs-without-type']

/** Where the cloud's word tells the same better, the host's own finding on the same pGPU is left out. */
export const SUPERSEDED_BY: ReadonlyMap<string, CloudFindingCode> = new Map([
  ['sriov-over-promise', 'placement-over-promises'],
])
