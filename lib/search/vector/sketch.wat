;; Estimates from a bit a dimension of each row what its cosine with a query may be at most, sixteen rows at a time, and
;; lists rows by that. `modules.ts` says what the parameters are. sketch.wasm is this file assembled; its test assembles
;; it again.
(module
  (import "env" "memory" (memory 1))
  (func (export "estimate")
    (param $group i32) (param $groups i32) (param $bytes i32) (param $tables i32)
    (param $scale f32) (param $offset f32) (param $spread f32)
    (local $end i32) (local $table i32)
    (local $codes v128) (local $half v128) (local $sum v128) (local $low v128) (local $high v128)
    (local.set $half (v128.const i8x16 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15))
    (block $done
      (loop $next_group
        (br_if $done (i32.le_s (local.get $groups) (i32.const 0)))
        (local.set $end (i32.add (local.get $group) (i32.shl (local.get $bytes) (i32.const 4))))
        (local.set $table (local.get $tables))
        (local.set $low (v128.const i64x2 0 0))
        (local.set $high (v128.const i64x2 0 0))
        (loop $next_bytes
          ;; Four bytes of each row, each of two halves: eight summands of 31 at most fit into a byte.
          (local.set $codes (v128.load (local.get $group)))
          (local.set $sum
            (i8x16.add
              (i8x16.swizzle (v128.load (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
              (i8x16.swizzle
                (v128.load offset=16 (local.get $table))
                (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half)))))
          (local.set $codes (v128.load offset=16 (local.get $group)))
          (local.set $sum
            (i8x16.add
              (local.get $sum)
              (i8x16.add
                (i8x16.swizzle (v128.load offset=32 (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
                (i8x16.swizzle
                  (v128.load offset=48 (local.get $table))
                  (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half))))))
          (local.set $codes (v128.load offset=32 (local.get $group)))
          (local.set $sum
            (i8x16.add
              (local.get $sum)
              (i8x16.add
                (i8x16.swizzle (v128.load offset=64 (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
                (i8x16.swizzle
                  (v128.load offset=80 (local.get $table))
                  (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half))))))
          (local.set $codes (v128.load offset=48 (local.get $group)))
          (local.set $sum
            (i8x16.add
              (local.get $sum)
              (i8x16.add
                (i8x16.swizzle (v128.load offset=96 (local.get $table)) (v128.and (local.get $codes) (local.get $half)))
                (i8x16.swizzle
                  (v128.load offset=112 (local.get $table))
                  (v128.and (i16x8.shr_u (local.get $codes) (i32.const 4)) (local.get $half))))))
          (local.set $low (i16x8.add (local.get $low) (i16x8.extend_low_i8x16_u (local.get $sum))))
          (local.set $high (i16x8.add (local.get $high) (i16x8.extend_high_i8x16_u (local.get $sum))))
          (local.set $table (i32.add (local.get $table) (i32.const 128)))
          (local.set $group (i32.add (local.get $group) (i32.const 64)))
          (br_if $next_bytes (i32.lt_u (local.get $group) (local.get $end))))
        ;; The inverses of the rows follow, then what they may reach: NaN both for an empty row, which is listed never.
        (v128.store offset=64 (local.get $group)
          (call $most
            (i32x4.extend_low_i16x8_u (local.get $low)) (v128.load (local.get $group))
            (local.get $scale) (local.get $offset) (local.get $spread)))
        (v128.store offset=80 (local.get $group)
          (call $most
            (i32x4.extend_high_i16x8_u (local.get $low)) (v128.load offset=16 (local.get $group))
            (local.get $scale) (local.get $offset) (local.get $spread)))
        (v128.store offset=96 (local.get $group)
          (call $most
            (i32x4.extend_low_i16x8_u (local.get $high)) (v128.load offset=32 (local.get $group))
            (local.get $scale) (local.get $offset) (local.get $spread)))
        (v128.store offset=112 (local.get $group)
          (call $most
            (i32x4.extend_high_i16x8_u (local.get $high)) (v128.load offset=48 (local.get $group))
            (local.get $scale) (local.get $offset) (local.get $spread)))
        (local.set $group (i32.add (local.get $group) (i32.const 128)))
        (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
        (br $next_group))))
  (func (export "list")
    (param $group i32) (param $groups i32) (param $bytes i32) (param $first i32) (param $least f32) (param $below f32)
    (param $out i32)
    (result i32)
    (local $start i32) (local $size i32) (local $near i32)
    (local.set $size (i32.add (i32.shl (local.get $bytes) (i32.const 4)) (i32.const 128)))
    (local.set $group (i32.add (local.get $group) (i32.sub (local.get $size) (i32.const 64))))
    (local.set $start (local.get $out))
    (block $done
      (loop $next_group
        (br_if $done (i32.le_s (local.get $groups) (i32.const 0)))
        (local.set $near
          (i32.or
            (i32.or
              (call $between (v128.load (local.get $group)) (local.get $least) (local.get $below))
              (i32.shl
                (call $between (v128.load offset=16 (local.get $group)) (local.get $least) (local.get $below))
                (i32.const 4)))
            (i32.or
              (i32.shl
                (call $between (v128.load offset=32 (local.get $group)) (local.get $least) (local.get $below))
                (i32.const 8))
              (i32.shl
                (call $between (v128.load offset=48 (local.get $group)) (local.get $least) (local.get $below))
                (i32.const 12)))))
        (block $none
          (loop $next_near
            (br_if $none (i32.eqz (local.get $near)))
            (i32.store (local.get $out) (i32.add (local.get $first) (i32.ctz (local.get $near))))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (local.set $near (i32.and (local.get $near) (i32.sub (local.get $near) (i32.const 1))))
            (br $next_near)))
        (local.set $group (i32.add (local.get $group) (local.get $size)))
        (local.set $first (i32.add (local.get $first) (i32.const 16)))
        (local.set $groups (i32.sub (local.get $groups) (i32.const 1)))
        (br $next_group)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 2)))
  ;; What four rows may reach: (scale · sum − offset) · inverse + spread · √(inverse² − 1).
  (func $most
    (param $sums v128) (param $inverse v128) (param $scale f32) (param $offset f32) (param $spread f32)
    (result v128)
    (f32x4.add
      (f32x4.mul
        (f32x4.sub
          (f32x4.mul (f32x4.convert_i32x4_u (local.get $sums)) (f32x4.splat (local.get $scale)))
          (f32x4.splat (local.get $offset)))
        (local.get $inverse))
      (f32x4.mul
        (f32x4.sqrt
          (f32x4.sub (f32x4.mul (local.get $inverse) (local.get $inverse)) (f32x4.splat (f32.const 1))))
        (f32x4.splat (local.get $spread)))))
  ;; Which of four numbers, a bit each, are at least the one and below the other.
  (func $between (param $numbers v128) (param $least f32) (param $below f32) (result i32)
    (i32x4.bitmask
      (v128.and
        (f32x4.ge (local.get $numbers) (f32x4.splat (local.get $least)))
        (f32x4.lt (local.get $numbers) (f32x4.splat (local.get $below)))))))
