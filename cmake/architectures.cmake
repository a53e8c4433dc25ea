# gparray_choose_architectures(VARIABLE NVCC): what to compile kernels for by default. Those of the GPUs that are
# here; on a machine without one machine code for all that are supported, and text for the driver of newer ones.

# Compute capability 7.5 to 12.x: docs/gpus.md has their names. Others with the same first digit run the code of these.
set(gparray_portable_architectures 75 80 86 89 90 100 120)

function(gparray_choose_architectures variable nvcc)
  execute_process(COMMAND ${nvcc} --list-gpu-code OUTPUT_VARIABLE known RESULT_VARIABLE status ERROR_QUIET)
  string(REGEX MATCHALL "sm_[0-9]+" known "${known}")
  list(TRANSFORM known REPLACE "sm_" "")
  if(NOT status EQUAL 0 OR NOT known)
    message(FATAL_ERROR "${nvcc} does not say which GPUs it compiles for. Name them with -DCMAKE_CUDA_ARCHITECTURES=90.")
  endif()
  list(SORT known COMPARE NATURAL)
  list(GET known -1 newest)

  gparray_find_gpus(gpus)
  set(chosen "")
  foreach(gpu IN LISTS gpus)
    if(gpu IN_LIST known)
      list(APPEND chosen ${gpu}-real)
      continue()
    endif()
    # The driver translates text for the next older one.
    set(older "")
    foreach(each IN LISTS known)
      if(each LESS gpu)
        set(older ${each})
      endif()
    endforeach()
    if(older)
      list(APPEND chosen ${older}-virtual)
    else()
      message(WARNING "${nvcc} does not compile for a GPU of this machine: its compute capability, ${gpu}, is too old.")
    endif()
  endforeach()

  if(NOT chosen)
    foreach(each IN LISTS gparray_portable_architectures)
      if(each IN_LIST known)
        list(APPEND chosen ${each}-real)
      endif()
    endforeach()
    # Of the last one text, too.
    list(TRANSFORM chosen REPLACE "-real" "" AT -1)
  endif()
  list(REMOVE_DUPLICATES chosen)
  set(${variable} ${chosen} PARENT_SCOPE)
endfunction()

# The compute capabilities of this machine's GPUs, without their points; empty if there is none, or no driver.
# GPARRAY_NVIDIA_SMI names the driver's program.
function(gparray_find_gpus variable)
  find_program(GPARRAY_NVIDIA_SMI nvidia-smi)
  mark_as_advanced(GPARRAY_NVIDIA_SMI)
  set(gpus "")
  if(GPARRAY_NVIDIA_SMI)
    execute_process(COMMAND ${GPARRAY_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE answer RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]" gpus "${answer}")
      list(TRANSFORM gpus REPLACE "\\." "")
      list(REMOVE_DUPLICATES gpus)
      list(SORT gpus COMPARE NATURAL)
    endif()
  endif()
  set(${variable} "${gpus}" PARENT_SCOPE)
endfunction()
