;; Dot products of rows of float16 with a float64 query, two rows at a time, each summed in the order of its components.
;; `modules.ts` says what the parameters are. half.wasm is this file assembled; its test assembles it again.
(module
  (import "env" "memory" (memory 1))
  (func (export "products")
    (param $rows i32) (param $dims i32) (param $list i32) (param $count i32) (param $query i32) (param $out i32)
    (local $a i32) (local $b i32) (local $at i32) (local $end i32)
    (local $sum_a f64) (local $sum_b f64) (local $component f64)
    (local.set $end (i32.add (local.get $query) (i32.shl (local.get $dims) (i32.const 3))))
    (local.set $dims (i32.shl (local.get $dims) (i32.const 1)))
    (block $done
      (loop $next_pair
        (br_if $done (i32.le_s (local.get $count) (i32.const 0)))
        (local.set $a (i32.add (local.get $rows) (i32.mul (i32.load (local.get $list)) (local.get $dims))))
        (local.set $b (i32.add (local.get $rows) (i32.mul (i32.load offset=4 (local.get $list)) (local.get $dims))))
        (local.set $at (local.get $query))
        (local.set $sum_a (f64.const 0))
        (local.set $sum_b (f64.const 0))
        (loop $next_component
          (local.set $component (f64.load (local.get $at)))
          ;; Sign, exponent and fraction in their places of a float32, whose exponent counts from 112 lower.
          (local.set $sum_a
            (f64.add
              (local.get $sum_a)
              (f64.mul
                (f64.promote_f32
                  (f32.mul
                    (f32.reinterpret_i32
                      (i32.and (i32.shl (i32.load16_s (local.get $a)) (i32.const 13)) (i32.const 0x8fffe000)))
                    (f32.const 0x1p112)))
                (local.get $component))))
          (local.set $sum_b
            (f64.add
              (local.get $sum_b)
              (f64.mul
                (f64.promote_f32
                  (f32.mul
                    (f32.reinterpret_i32
                      (i32.and (i32.shl (i32.load16_s (local.get $b)) (i32.const 13)) (i32.const 0x8fffe000)))
                    (f32.const 0x1p112)))
                (local.get $component))))
          (local.set $a (i32.add (local.get $a) (i32.const 2)))
          (local.set $b (i32.add (local.get $b) (i32.const 2)))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br_if $next_component (i32.lt_u (local.get $at) (local.get $end))))
        (f64.store (local.get $out) (local.get $sum_a))
        (f64.store offset=8 (local.get $out) (local.get $sum_b))
        (local.set $list (i32.add (local.get $list) (i32.const 8)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $count (i32.sub (local.get $count) (i32.const 2)))
        (br $next_pair)))))
