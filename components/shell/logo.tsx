export const Logo = () => (
  <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true" className="text-accent">
    <path
      fill="currentColor"
      d="M2 0h4a2 2 0 0 1 2 2v6H2a2 2 0 0 1-2-2V2a2 2 0 0 1 2-2Zm8 2a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-6ZM0 10h8v6a2 2 0 0 1-2 2H2a2 2 0 0 1-2-2v-4Z"
    />
    <path
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      d="M10.75 10.75h6.5V15.5a1.75 1.75 0 0 1-1.75 1.75h-3a1.75 1.75 0 0 1-1.75-1.75Z"
    />
  </svg>
)
