/** Display names of frameworks. An unknown one is shown unchanged. */
const FRAMEWORK_LABELS: Record<string, string> = {
  mdev: 'mdev',
  'mdev-sriov': 'mdev, SR-IOV',
  'vendor-vfio': 'vendor VFIO',
  passthrough: 'passthrough',
  none: 'none',
}

export const frameworkLabel = (framework: string): string => FRAMEWORK_LABELS[framework] ?? framework
