/** Display names of frameworks. An unknown one is shown unchanged. */
const FRAMEWORK_WORDS: Record<string, string> = {
  mdev: 'mdev',
  'mdev-sriov': 'mdev, SR-IOV',
  'vendor-vfio': 'vendor VFIO',
  passthrough: 'passthrough',
  none: 'none',
}

export const frameworkWords = (framework: string): string => FRAMEWORK_WORDS[framework] ?? framework
