export { type Follower, type FollowLogger, follow, type Sink } from "./follow.ts";
export { assertCaughtUp, assertFollowing, isBehind, remoteCaughtUp } from "./states.ts";
export { followerMetrics } from "./states.ts";
